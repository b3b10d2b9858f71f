// Names of characters, as far as pages use them: those of HTML 4 and a few that came later.

const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const greek =
  "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega";
const others: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", NewLine: "\n", Tab: "\t", lbrace: "{", rbrace: "}" },
  ...{
    lpar: "(",
    rpar: ")",
    lsqb: "[",
    rsqb: "]",
    lbrack: "[",
    rbrack: "]",
    colon: ":",
    semi: ";",
    comma: ",",
    period: ".",
  },
  ...{
    num: "#",
    dollar: "$",
    percnt: "%",
    ast: "*",
    plus: "+",
    equals: "=",
    excl: "!",
    quest: "?",
    commat: "@",
    sol: "/",
  },
  ...{
    bsol: "\\",
    lowbar: "_",
    grave: "`",
    vert: "|",
    verbar: "|",
    Hat: "^",
    hyphen: "‐",
    dash: "‐",
    check: "✓",
    cross: "✗",
  },
  ...{
    OElig: "Œ",
    oelig: "œ",
    Scaron: "Š",
    scaron: "š",
    Yuml: "Ÿ",
    fnof: "ƒ",
    circ: "ˆ",
    tilde: "˜",
    ensp: " ",
    emsp: " ",
  },
  ...{ thinsp: " ", zwnj: "\u200c", zwj: "\u200d", lrm: "\u200e", rlm: "\u200f", ndash: "–", mdash: "—", lsquo: "‘" },
  ...{ rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„", dagger: "†", Dagger: "‡", bull: "•", hellip: "…" },
  ...{ permil: "‰", prime: "′", Prime: "″", lsaquo: "‹", rsaquo: "›", oline: "‾", frasl: "⁄", euro: "€", image: "ℑ" },
  ...{
    weierp: "℘",
    real: "ℜ",
    trade: "™",
    alefsym: "ℵ",
    larr: "←",
    uarr: "↑",
    rarr: "→",
    darr: "↓",
    harr: "↔",
    crarr: "↵",
  },
  ...{
    lArr: "⇐",
    uArr: "⇑",
    rArr: "⇒",
    dArr: "⇓",
    hArr: "⇔",
    forall: "∀",
    part: "∂",
    exist: "∃",
    empty: "∅",
    nabla: "∇",
  },
  ...{
    isin: "∈",
    notin: "∉",
    ni: "∋",
    prod: "∏",
    sum: "∑",
    minus: "−",
    lowast: "∗",
    radic: "√",
    prop: "∝",
    infin: "∞",
  },
  ...{
    ang: "∠",
    and: "∧",
    or: "∨",
    cap: "∩",
    cup: "∪",
    int: "∫",
    there4: "∴",
    sim: "∼",
    cong: "≅",
    asymp: "≈",
    ne: "≠",
  },
  ...{ equiv: "≡", le: "≤", ge: "≥", sub: "⊂", sup: "⊃", nsub: "⊄", sube: "⊆", supe: "⊇", oplus: "⊕", otimes: "⊗" },
  ...{ perp: "⊥", sdot: "⋅", lceil: "⌈", rceil: "⌉", lfloor: "⌊", rfloor: "⌋", lang: "⟨", rang: "⟩", loz: "◊" },
  ...{ spades: "♠", clubs: "♣", hearts: "♥", diams: "♦", thetasym: "ϑ", upsih: "ϒ", piv: "ϖ" },
};

const named = new Map<string, string>([...inARow(latin1, 0xa0), ...inARow(greek, 0x391), ...Object.entries(others)]);

function inARow(names: string, first: number): readonly (readonly [string, string])[] {
  return names.split(" ").map((name, at) => [name, String.fromCodePoint(first + at)]);
}

const form =
  /&(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});?|([A-Za-z][A-Za-z0-9]{1,31});|(amp|lt|gt|quot|nbsp)(?![A-Za-z0-9=]))/g;

/** What is unknown stays as it is written. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(form, (whole, number?: string, name?: string, bare?: string) => {
    if (number !== undefined) return characterOf(Number(/^x/i.test(number) ? `0${number}` : number));
    return named.get(name ?? bare ?? "") ?? whole;
  });
}

/** Pages that count in windows-1252 are read as they are meant. */
const windows = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return windows[code - 0x80] ?? "\ufffd";
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
  return isNone ? "\ufffd" : String.fromCodePoint(code);
}
