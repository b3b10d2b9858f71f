/**
 * The program that tries changes of JavaScript and TypeScript: one process, a run of the project's test script for each change, and
 * no file of the project is written: what loads a module sees the changed text. It prints one line, `screened {…}`. `JOB` stands before it.
 */
export const scriptText = String.raw`
const [{ spawn }, fs, os, path, { fileURLToPath }] = ["node:child_process", "node:fs", "node:os", "node:path", "node:url"].map((name) => require(name));

const began = Date.now();
const running = new Set();
let traces = null;

function clean() {
  for (const child of running) {
    try { process.kill(-child.pid, "SIGKILL"); } catch {}
  }
  if (traces !== null) fs.rmSync(traces, { recursive: true, force: true });
}

function say(said) {
  clean();
  fs.writeSync(1, "screened " + JSON.stringify(said) + "\n");
  process.exit(0);
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => { clean(); process.exit(1); });

const files = JOB.files.map(([name, size]) => {
  const text = fs.readFileSync(name, "utf8");
  if (text.length !== size && text.length !== size - 1) say({ why: "cannot" });
  return { path: fs.realpathSync(name), text };
});

// Runs in every process of a try, before anything else.
const hook = ${"`"}
const [fs, mod, { fileURLToPath, pathToFileURL }] = (await Promise.all(["node:fs", "node:module", "node:url"].map((name) => import(name)))).map((one) => one.default);
const [file, start, end, fresh] = JSON.parse(process.env.CODER_TRY);
const isIt = (name) => {
  try { return (name instanceof URL || /^file:/.test(name) ? fileURLToPath(name) : name) === file; } catch { return false; }
};
const put = (text) => text.slice(0, start) + fresh + text.slice(end);
const changed = (name, got) =>
  !isIt(name) ? got : typeof got === "string" ? put(got) : Buffer.from(put(got.toString("utf8")));
const { readFileSync, readFile } = fs;
const { readFile: later } = fs.promises;
fs.readFileSync = function (name, ...rest) { return changed(name, readFileSync.call(this, name, ...rest)); };
fs.promises.readFile = async (name, ...rest) => changed(name, await later(name, ...rest));
fs.readFile = (name, ...rest) => {
  const done = rest.pop();
  return readFile(name, ...rest, (error, got) => done(error, error ? got : changed(name, got)));
};
mod.syncBuiltinESMExports();
if (process.env.CODER_TRY_MODULE === "1") {
  const url = pathToFileURL(file).href;
  const text = put(readFileSync(file, "utf8"));
  if (mod.registerHooks) {
    mod.registerHooks({ load: (at, context, next) =>
      at.split("?")[0] === url && context.format !== "commonjs" ? { format: context.format ?? "module", source: text, shortCircuit: true } : next(at, context) });
  } else {
    const source = "let job; export const initialize = (data) => { job = data; };" +
      "export const load = (at, context, next) => at.split('?')[0] === job.url && context.format !== 'commonjs'" +
      " ? { format: context.format ?? 'module', source: job.text, shortCircuit: true } : next(at, context);";
    mod.register("data:text/javascript," + encodeURIComponent(source), { data: { url, text } });
  }
}
${"`"};
const hookUrl = "data:text/javascript;base64," + Buffer.from(hook).toString("base64");

function isModule(file) {
  if (/\.[cm][jt]s$/.test(file)) return /\.m[jt]s$/.test(file);
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    try { return JSON.parse(fs.readFileSync(path.join(at, "package.json"), "utf8")).type === "module" || /\.tsx?$/.test(file); } catch {}
    if (at === path.dirname(at)) return false;
  }
}

function edited(number) {
  if (number === null) return {};
  const [file, start, end, , , text] = number;
  return {
    NODE_OPTIONS: ((process.env.NODE_OPTIONS ?? "") + " --import=" + hookUrl).trim(),
    CODER_TRY: JSON.stringify([files[file].path, start, end, text]),
    CODER_TRY_MODULE: isModule(files[file].path) ? "1" : "0",
  };
}

const bins = [];
for (let at = process.cwd(); ; at = path.dirname(at)) {
  bins.push(path.join(at, "node_modules", ".bin"));
  if (at === path.dirname(at)) break;
}

/** Once the test script. Resolves with null if it had to be ended. */
function run(command, change, longest, isShort, more = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: [...bins, process.env.PATH].join(path.delimiter), CI: "1", NO_COLOR: "1", npm_lifecycle_event: "test", ...edited(change), ...more };
    const child = spawn("sh", ["-c", command], { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let out = "";
    let isOver = false;
    const end = (said) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      running.delete(child);
      try { process.kill(-child.pid, "SIGKILL"); } catch {}
      resolve(said);
    };
    const timer = setTimeout(() => end(null), longest);
    const hear = (part) => {
      if (out.length < 200000) out += part;
      // TAP says so at once; why wait for the rest.
      if (isShort && /^\s*not ok (?!.*# (?:TODO|SKIP))/im.test(out)) end({ code: 1, out });
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.on("error", () => end({ code: 1, out }));
    child.on("close", (code) => end({ code: code ?? 1, out }));
  });
}

const noTest = /^(?:npx +(?:--no-install +)?)?(?:xo|standard|semistandard|eslint|oxlint|tsd|tsc|prettier|biome|jshint|jscs|lint-staged|attw|publint|size-limit|dtslint|flow|rimraf|ls-lint|are-the-types-wrong)\b/;
const measuring = /^(?:npx +)?(?:nyc|c8|istanbul cover)(?: +--?[\w-]+(?:=\S+)?)* +(?:-- +)?(?=\S)/;
const stopping = { mocha: "--bail", ava: "--fail-fast", jest: "--bail", vitest: "--bail=1", uvu: "-b" };

/** The parts of the test script that run tests. */
function partsOf(scripts, script, depth) {
  return script.split(/\s*&&\s*/).flatMap((part) => {
    const own = part.trim().replace(/^(?:npx +)?cross-env +/, "").replace(measuring, "");
    const name = /^npm (?:run(?:-script)? +)?(?:-s +|--silent +)?([\w:.-]+)$/.exec(own)?.[1];
    const names = name !== undefined ? [name] : /^(?:run-s|npm-run-all(?: -s)?) +([\w:. -]+)$/.exec(own)?.[1].split(/ +/);
    if (names !== undefined && depth < 3 && names.every((one) => scripts[one] !== undefined))
      return names.flatMap((one) => /lint|types?\b|tsc|format|prettier|build:docs/.test(one) ? [] : partsOf(scripts, scripts[one], depth + 1));
    return own === "" || noTest.test(own) ? [] : [own];
  });
}

function short(part) {
  const program = path.basename(/^(?:npx +)?(\S+)/.exec(part)?.[1] ?? "");
  return Object.hasOwn(stopping, program) ? part + " " + stopping[program] : part;
}

/** The ranges that were run, by file; a file whose text was not loaded as it is has none. */
function tracesIn(folder) {
  const found = files.map(() => null);
  for (const name of fs.readdirSync(folder)) {
    let result = [];
    try { result = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")).result; } catch {}
    for (const { url, functions } of result) {
      if (!url.startsWith("file:")) continue;
      const at = files.findIndex((file) => { try { return file.path === fileURLToPath(url); } catch { return false; } });
      if (at === -1 || functions[0]?.ranges[0]?.endOffset !== files[at].text.length) continue;
      found[at] ??= [];
      found[at].push(functions.flatMap(({ ranges }) => ranges));
    }
  }
  return found;
}

/** In any of the processes, the innermost range around the place was run. */
function wasRun(all, start, end) {
  return all.some((ranges) => {
    let best = null;
    for (const one of ranges) {
      const holds = one.startOffset <= start && Math.max(start, end - 1) < one.endOffset;
      if (holds && (best === null || one.endOffset - one.startOffset <= best.endOffset - best.startOffset)) best = one;
    }
    return best !== null && best.count > 0;
  });
}

const told = (out) => out.replace(/\d+(?:\.\d+)? ?m?s\b|duration_ms:? [\d.]+|0x[\da-f]+/g, "");

async function main() {
  let scripts = {};
  try { scripts = JSON.parse(fs.readFileSync("package.json", "utf8")).scripts ?? {}; } catch {}
  const parts = typeof scripts.test === "string" ? partsOf(scripts, scripts.test, 0) : [];
  if (parts.length === 0) say({ why: "cannot" });
  traces = fs.mkdtempSync(path.join(os.tmpdir(), "screening-"));
  const longest = JOB.seconds * 1000;
  const base = await run(parts.join(" && "), null, longest / 3, false, { NODE_V8_COVERAGE: traces });
  const took = Date.now() - began;
  const ranges = tracesIn(traces);
  fs.rmSync(traces, { recursive: true, force: true });
  traces = null;
  if (base !== null && base.code === 0) say({ why: "cannot" });
  const command = parts.map(short).join(" && ");
  const limit = base === null ? 5000 : 1000 + 3 * took;
  const seen = [];
  for (const [at, file] of files.entries()) {
    if (ranges[at] !== null || (base !== null && base.out.includes("SyntaxError") && base.out.includes(file.path))) seen[at] = true;
    else if (base !== null && JOB.tries.some((one) => one[0] === at)) {
      // What must break everything shows whether the changed text is what the tests see.
      const wrong = await run(command, [at, 0, 0, 0, 0, "throw new Error('screening');\n"], limit, true);
      seen[at] = wrong !== null && wrong.code !== 0 && /screening/.test(wrong.out) && told(wrong.out) !== told(base.out);
    }
  }
  const lineStart = (text, at) => { const from = text.lastIndexOf("\n", at - 1) + 1; return from + /^\s*/.exec(text.slice(from))[0].length; };
  const isLive = ([at, start, end]) => base === null || (seen[at] && (ranges[at] === null || wasRun(ranges[at], start, end) || wasRun(ranges[at], Math.min(start, lineStart(files[at].text, start)), start)));
  const order = JOB.tries.map((one, number) => [one, number]).filter(([one]) => isLive(one)).sort((a, b) => b[0][4] - a[0][4]).map(([, number]) => number);
  if (order.length === 0) say({ why: "unseen" });
  const waiting = [...order];
  const passed = [];
  let tried = 0;
  let first = null;
  const isOver = () => Date.now() - began > longest || passed.length >= JOB.most || (first !== null && Date.now() - first > JOB.after * 1000 + first - began);
  const worker = async () => {
    while (waiting.length > 0 && !isOver()) {
      const number = waiting.shift();
      const said = await run(command, JOB.tries[number], limit, true);
      tried++;
      if (said === null || said.code !== 0) continue;
      passed.push(number);
      first ??= Date.now();
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, worker));
  passed.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const why = tried < order.length && passed.length === 0 ? "time" : "done";
  say({ why, tried, of: order.length, passed, better: [], ms: Date.now() - began });
}

main();
`;
