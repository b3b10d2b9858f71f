/** Patterns of models that accept images; `models.<ref>.images` in the config overrides them. */
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
const blind = "(^|/)(o1-mini|o1-preview|o3-mini)|-embed|-tts|-audio|-realtime";

export function seesImages(model: string): boolean {
  const name = model.toLowerCase();
  // One combined pattern: compiling each takes longer than matching.
  return new RegExp(seeing.join("|")).test(name) && !new RegExp(blind).test(name);
}
