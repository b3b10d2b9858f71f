// What of an input the person wrote themselves: neither the code nor the logs they pasted, nor the names of files.

/** From here on a run of lines that look like a log is one. */
const fewestLogLines = 5;

/** Lines that programs write and people paste. */
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

/** The text without fenced code and without pasted logs. */
export function ownWords(text: string): string {
  const hasFence = text.includes("```") || text.includes("~~~");
  if (!hasFence && !text.includes("\n") && !text.includes("\r")) return text.trim();
  const lines = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  return withoutLogs(hasFence ? withoutFences(lines) : lines)
    .join("\n")
    .trim();
}

/** A fence that is never closed goes on to the end. */
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

/** What only programs write, however little of it there is. */
const certainLines = (): readonly RegExp[] => [
  ...logLines().slice(0, 4),
  /^\s*(?:error|warning|fatal|panic|make(?:\[\d+\])?|[EW])(?:\[\w+\])?: \S/i,
  /^\s*(?:at \S+ ?\(|File "|Caused by:|Traceback \(|goroutine \d|Exception in thread|npm (?:ERR!|error|warn))/,
  /^\s*(?:[A-Za-z_][\w.]{0,100}(?:Error|Exception|Panic)\b): /,
  /^[IWEF]\d{4} \d{2}:\d{2}/,
  /^[\w.-]+ +\| /,
  /^\s*\{".*\},?\s*$/,
];

/** The text without paragraphs that were pasted: what a log says that one should do is no order of the person's. */
export function withoutPastes(words: string): string {
  const paragraphs = words.split(/\n\s*\n/);
  if (paragraphs.length < 2) return words;
  const forms = certainLines();
  const isLog = (one: string): boolean => one.split("\n").some((line) => isLogLine(line.slice(0, 300), forms));
  // One line alone may be how somebody puts it: "Error: no such user. Add one."
  if (!paragraphs.some((one) => one.trim().includes("\n") && isLog(one))) return words;
  const own = paragraphs.filter((one) => !isLog(one));
  return own.length > 0 ? own.join("\n\n") : words;
}

function isLogLine(line: string, forms: readonly RegExp[]): boolean {
  return forms.some((form) => form.test(line));
}

/** Indented lines behind one of a log belong to it, unless they are items of a list. */
function isContinued(line: string): boolean {
  return /^(?: {2,}|\t)\s*[^\s\-*+•\d]/.test(line);
}
