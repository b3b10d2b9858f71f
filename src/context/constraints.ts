/** Words that express a constraint. A false hit costs space, a miss costs trust. */
const english =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]?t|do not|does not|should(?:n['’]t)?|shall|can(?:not|['’]t)|may not|need to|needs to|have to|has to|make sure|ensure|required?|requires|forbid(?:den)?|avoid|without|except|unless|instead|exactly|at most|at least|no more than|no less than|keep|leave|stick to|prefer|important|rule|constraint|limit|deadline|not? allowed|under no)\b/i;
const chinese =
  /必须|必需|务必|一定|不要|不得|不能|不可|不许|不准|不应|不用|请勿|切勿|勿|禁止|别|只能|只许|只|仅|始终|总是|永远|从不|避免|除非|除了|保持|保留|至少|最多|不超过|不少于|以内|要求|应该|应当|需要|限制|约束|注意|重要|规则/;

export function isConstraint(text: string): boolean {
  return english.test(text) || chinese.test(text);
}

export interface Piece {
  readonly from: number;
  readonly to: number;
}

/** Splits a text at sentence and line ends; the pieces together are the whole text. */
export function sentencesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const end of text.matchAll(/\n+|[.!?;]+\s+|[。！？；]+\s*/g)) {
    const to = end.index + end[0].length;
    pieces.push({ from, to });
    from = to;
  }
  if (from < text.length) pieces.push({ from, to: text.length });
  return pieces;
}
