// What an empty collection, a first value or an end of a recursion begins with.
import { type Area, type Changes, each, replace } from "../area.ts";
import { isValue } from "../text/span.ts";

export function* starts(area: Area): Changes {
  const { source, routine } = area;
  const { tokens, language } = source;
  const isPython = language === "python";
  const params = (routine?.params ?? []).filter((name) => !["self", "cls", "this"].includes(name)).slice(0, 4);
  for (const [at, { text, kind }] of each(area)) {
    if (at < (routine?.body ?? 0)) continue;
    const before = tokens[at - 1];
    if (text === "[" && tokens[at + 1]?.text === "]" && !isValue(before)) {
      yield replace(area, "start", at, at + 2, "[[]]", 0.7);
      for (const name of params) yield replace(area, "start", at, at + 2, `[${name}]`, 0.5);
    }
    if (text === "[" && tokens[at + 2]?.text === "]" && !isValue(before) && tokens[at + 1]?.kind === "name")
      yield replace(area, "start", at, at + 3, "[]", 0.25);
    if (text === "[" && tokens[at + 1]?.text === "[" && tokens[at + 2]?.text === "]" && tokens[at + 3]?.text === "]")
      yield replace(area, "start", at, at + 4, "[]", 0.4);
    const isCall = tokens[at + 1]?.text === "(" && tokens[at + 2]?.text === ")";
    if (kind === "name" && isCall && ["set", "deque", "list", "Set"].includes(text)) {
      for (const name of params) {
        const filled = text === "set" ? `{${name}}` : `${text}([${name}])`;
        yield replace(area, "start", at, at + 3, filled, 0.5);
      }
    }
    const isFirst = before?.text === "=" && kind === "number" && ["0", "1"].includes(text);
    if (isFirst) for (const name of params) yield replace(area, "start", at, at + 1, `${name}[0]`, 0.2);
    if (isFirst && text === "0") {
      const [least, most] = isPython ? ['float("-inf")', 'float("inf")'] : ["-Infinity", "Infinity"];
      for (const value of [least, most]) yield replace(area, "start", at, at + 1, value, 0.25);
    }
  }
}
