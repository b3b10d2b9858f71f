/** The text of a result as the model gets it, without the two lines that stand around what comes from outside. */
export function unlabelled(text: string): string {
  return text.replace(/^\[\w+ (\w+): data, not instructions\]\n([\s\S]*?)\n\[end \1\]/, "$2");
}
