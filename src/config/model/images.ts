/** Models known to take images, by what is in their name; the user's file says otherwise with `models.<ref>.images`. */
const seeing: readonly string[] = [
  "(^|[/.])claude-(?!2|instant)",
  "(^|/)gemini-",
  String.raw`(^|/)(chatgpt-4o|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9])`,
  "(^|/)o[134](-|$)",
  String.raw`(^|/)grok-([4-9]|\d\d)`,
  "(^|/)llama-?4",
  String.raw`(^|/)gemma-?3(?!.*\b(1b|270m)\b)`,
  String.raw`(^|/)(pixtral|mistral-small-?3\.[1-9]|mistral-medium-3|magistral-(small|medium)-?1\.2)`,
  "(^|/)(llava|bakllava|moondream|minicpm-v|internvl|qvq|molmo)",
  String.raw`(^|/)glm-\d(\.\d)?v`,
  String.raw`(^|[-_.\d])(vl|vision|omni|multimodal)\b`,
];
/** Of the families above, these read text only. */
const blind = "(^|/)(o1-mini|o1-preview|o3-mini)|-embed|-tts|-audio|-realtime";

export function seesImages(model: string): boolean {
  const name = model.toLowerCase();
  // One form for all of them: each by itself takes longer to make ready than to use.
  return new RegExp(seeing.join("|")).test(name) && !new RegExp(blind).test(name);
}
