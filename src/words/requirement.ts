import { ownWords, withoutPastes } from "./own-words.ts";

const wanted =
  /\b(?:should|shall|must|ought to|(?:need|has|have|had) to|needs|is (?:supposed|expected) to|are (?:supposed|expected) to)\b|应该|应当|需要|必须|务必|要能|要支持|得能/i;

/** "The parser must accept comments": not an order, but a requirement. */
export function isRequirement(text: string): boolean {
  return wanted.test(withoutPastes(ownWords(text)));
}
