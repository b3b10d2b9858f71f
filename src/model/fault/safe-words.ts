const longest = 300;
const longestRead = 65_536;

const secretLike: readonly RegExp[] = [
  /\b(?:bearer|basic|token)\s+[\w.~+/=*-]{6,}/gi,
  /\b(?:authorization|x-api-key|api[-_ ]?key|access[-_ ]?token|secret)["']?\s*[:=]\s*["']?[^\s"',;}]+/gi,
  // Keys of the usual vendors, also when masked in the middle: sk-…, gsk_…, xai-…, AIza…, ghp_…, hf_…
  /\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|nvapi|csk|fw|r8|key)[-_][\w*.-]{6,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
];

/** A provider's text, safe to show: one bounded line without control characters or anything that looks like a key. */
export function safeWords(text: string, secrets: readonly string[]): string {
  let words = text.slice(0, longestRead).toWellFormed();
  for (const secret of secrets) if (secret.length >= 4) words = words.replaceAll(secret, "[redacted]");
  for (const pattern of secretLike) words = words.replace(pattern, "[redacted]");
  // Control, format (bidi, zero-width), line and paragraph separators could repaint or reorder the terminal.
  words = words.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  if (words.length <= longest) return words;
  // Do not cut a surrogate pair in half.
  return `${words
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}
