const marks = new Set(["/", "*", "#", "-"].map((mark) => mark.charCodeAt(0)));

/** Code, and what people wrote about it: the lines that begin as comments do in most languages. */
export function parted(text: string): { readonly code: string; readonly notes: string } {
  let code = "";
  let notes = "";
  /** Where the lines begin that were not put anywhere yet. */
  let open = 0;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next + 1;
    let at = start;
    while (at < end && text.charCodeAt(at) <= 0x20) at++;
    if (marks.has(text.charCodeAt(at)) && end - at > 3) {
      code += text.slice(open, start);
      notes += text.slice(at, end);
      open = end;
    }
    start = end;
  }
  return { code: code + text.slice(open), notes };
}
