import { wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";

/** CAN-3: exactly these lines. The second is left for the terminal to wrap. */
export function cancelledLines(look: Look): readonly string[] {
  return [
    look.theme.warn(words(look, "cancel.line1")),
    words(look, "cancel.line2"),
    ...(look.lang === "zh" ? wrap(look.theme.dim(words(look, "block.cancelled")), look.width()) : []),
  ];
}
