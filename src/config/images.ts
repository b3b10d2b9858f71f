/** Models known to take images, by what is in their name; the user's file says otherwise with `models.<ref>.images`. */
const seeing: readonly RegExp[] = [
  /(^|[/.])claude-(?!2|instant)/,
  /(^|\/)gemini-/,
  /(^|\/)(chatgpt-4o|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9])/,
  /(^|\/)o[134](-|$)/,
  /(^|\/)grok-([4-9]|\d\d)/,
  /(^|\/)llama-?4/,
  /(^|\/)gemma-?3(?!.*\b(1b|270m)\b)/,
  /(^|\/)(pixtral|mistral-small-?3\.[1-9]|mistral-medium-3|magistral-(small|medium)-?1\.2)/,
  /(^|\/)(llava|bakllava|moondream|minicpm-v|internvl|qvq|molmo)/,
  /(^|\/)glm-\d(\.\d)?v/,
  /(^|[-_.\d])(vl|vision|omni|multimodal)\b/,
];
/** Of the families above, these read text only. */
const blind: readonly RegExp[] = [/(^|\/)(o1-mini|o1-preview|o3-mini)/, /-embed|-tts|-audio|-realtime/];

export function seesImages(model: string): boolean {
  const name = model.toLowerCase();
  return seeing.some((pattern) => pattern.test(name)) && !blind.some((pattern) => pattern.test(name));
}
