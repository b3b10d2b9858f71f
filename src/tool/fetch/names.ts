// What browsers know of elements by their names.

export const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** They have no end. */
export const empty = set("area base br col embed hr img input link meta param source track wbr");
/** They say nothing that can be read, show nothing before somebody asks for it, or only how to get elsewhere. */
export const left = set(
  "script style noscript template svg iframe object canvas audio video rp noembed noframes select button nav textarea dialog datalist progress meter annotation annotation-xml",
);
/** An end does not reach beyond them. */
export const walls = set("html table td th caption template object marquee applet");
export const tableWalls = set("html table template");
export const ofTables = set("table caption colgroup thead tbody tfoot tr td th");
/** An end of an element that is not among them does not reach beyond one of them. */
export const special = set(
  "address article aside blockquote body button center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main menu nav noscript object ol p pre search section select summary table tbody td template textarea tfoot th thead tr ul xmp",
);
/** They go on in the next block when the one around them ends before they do. */
export const formatting = set("a b big code em font i nobr s small strike strong tt u");
export const endsParagraph = set(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul xmp listing plaintext",
);
/** What the beginning of one ends, and what it does not look beyond. */
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
