// The parts of an input that the user wrote, without pasted code and logs.

/** The fewest log-like lines in a row that count as a log. */
const fewestLogLines = 5;

const logLines = (): readonly RegExp[] => [
  /^\s*\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}/,
  /^\s*\[?\d{2}:\d{2}:\d{2}[\].,: ]/,
  /^\s*[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} /,
  /^\s*\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\]?[\s:[]/,
  /^\s*(?:error|warning|note|help|fatal|panic|FAIL|PASS|ok|FAILED|PASSED|E|F|>)(?:\[\w+\])?(?::|\s{2,})/,
  /^\s*(?:at |File "|Caused by:|Traceback \(|During handling|goroutine \d|Exception in thread|npm (?:ERR!|error|warn)|--- |=== |\+\+\+ |@@ )/,
  /^\s*[\w./\\@-]{1,200}[.:(]\d+(?:[:,]\d+)?\)?[:\s]/,
  /^\s*(?:[A-Za-z_][\w.]{0,100}(?:Error|Exception|Warning|Panic)\b)/,
  /^\s*(?:[\^~=*_-]{3,}|\d+ \||\||[✓✗✘×●○√⎯│├└❯])/,
  /^\s*[$#>%] \S/,
  /^(?:FAIL|PASS|ok|not ok|\?)\s+\S/,
];

/** Removes fenced code and pasted logs. */
export function ownWords(text: string): string {
  const hasFence = text.includes("```") || text.includes("~~~");
  if (!hasFence && !text.includes("\n") && !text.includes("\r")) return text.trim();
  const lines = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  return withoutLogs(hasFence ? withoutFences(lines) : lines)
    .join("\n")
    .trim();
}

/** An unclosed fence extends to the end. */
function withoutFences(lines: readonly string[]): readonly string[] {
  const fence = /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(`{3,}|~{3,})(.*)$/;
  const kept: string[] = [];
  let open: string | null = null;
  for (const line of lines) {
    const [, marks = "", rest = ""] = fence.exec(line) ?? [];
    if (open !== null) {
      if (marks.startsWith(open) && rest.trim() === "") open = null;
    } else if (marks !== "" && !rest.includes("`")) open = marks;
    else kept.push(line.replace(/```[^`]*```/g, " "));
  }
  return kept;
}

function withoutLogs(lines: readonly string[]): readonly string[] {
  if (lines.length < fewestLogLines) return lines;
  const forms = logLines();
  const kept: string[] = [];
  let run: string[] = [];
  let count = 0;
  const close = (): void => {
    if (count < fewestLogLines) kept.push(...run);
    run = [];
    count = 0;
  };
  for (const line of lines) {
    const isBlank = line.trim() === "";
    const isLog = !isBlank && (isLogLine(line.slice(0, 300), forms) || (count > 0 && isContinued(line)));
    if (!isLog && !(isBlank && count > 0)) close();
    if (isLog) count++;
    if (isLog || (isBlank && count > 0)) run.push(line);
    else kept.push(line);
  }
  close();
  return kept;
}

/** A single such line proves program output. */
const certainLines = (): readonly RegExp[] => [
  ...logLines().slice(0, 4),
  /^\s*(?:error|warning|fatal|panic|make(?:\[\d+\])?|[EW])(?:\[\w+\])?: \S/i,
  /^\s*(?:at \S+ ?\(|File "|Caused by:|Traceback \(|goroutine \d|Exception in thread|npm (?:ERR!|error|warn))/,
  /^\s*(?:[A-Za-z_][\w.]{0,100}(?:Error|Exception|Panic)\b): /,
  /^[IWEF]\d{4} \d{2}:\d{2}/,
  /^[\w.-]+ +\| /,
  /^\s*\{".*\},?\s*$/,
];

/** Removes pasted paragraphs: advice in a log is not an order of the user. */
export function withoutPastes(words: string): string {
  const paragraphs = words.split(/\n\s*\n/);
  if (paragraphs.length < 2) return words;
  const forms = certainLines();
  const isLog = (one: string): boolean => one.split("\n").some((line) => isLogLine(line.slice(0, 300), forms));
  // A single line may be the user's own: "Error: no such user. Add one."
  if (!paragraphs.some((one) => one.trim().includes("\n") && isLog(one))) return words;
  const own = paragraphs.filter((one) => !isLog(one));
  return own.length > 0 ? own.join("\n\n") : words;
}

function isLogLine(line: string, forms: readonly RegExp[]): boolean {
  return forms.some((form) => form.test(line));
}

/** Indented lines after a log line belong to it, unless they are list items. */
function isContinued(line: string): boolean {
  return /^(?: {2,}|\t)\s*[^\s\-*+•\d]/.test(line);
}
