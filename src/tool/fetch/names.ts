export const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Void elements. */
export const empty = set("area base br col embed hr img input link meta param source track wbr");
/** Elements without readable text, hidden until somebody opens them, or only for navigation. */
export const left = set(
  "script style noscript template svg iframe object canvas audio video rp noembed noframes select button nav textarea dialog datalist progress meter annotation annotation-xml",
);
/** An end tag does not reach beyond these. */
export const walls = set("html table td th caption template object marquee applet");
export const tableWalls = set("html table template");
export const ofTables = set("table caption colgroup thead tbody tfoot tr td th");
/** End tags of other elements do not reach beyond these. */
export const special = set(
  "address article aside blockquote body button center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main menu nav noscript object ol p pre search section select summary table tbody td template textarea tfoot th thead tr ul xmp",
);
/** If the enclosing element ends first, these continue in the next block. */
export const formatting = set("a b big code em font i nobr s small strike strong tt u");
export const endsParagraph = set(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul xmp listing plaintext",
);
/** The open elements that a start tag closes, and the elements that the search stops at. */
export const endedBy: Readonly<Record<string, readonly [ended: ReadonlySet<string>, within: ReadonlySet<string>]>> = {
  li: [set("li"), set("ul ol menu dir")],
  dt: [set("dt dd"), set("dl")],
  dd: [set("dt dd"), set("dl")],
  td: [set("td th"), set("tr table")],
  th: [set("td th"), set("tr table")],
  tr: [set("tr td th caption colgroup"), set("table")],
  tbody: [set("tbody thead tfoot tr td th caption colgroup"), set("table")],
  thead: [set("tbody thead tfoot tr td th caption colgroup"), set("table")],
  tfoot: [set("tbody thead tfoot tr td th caption colgroup"), set("table")],
  a: [set("a"), set("td th caption table")],
};
