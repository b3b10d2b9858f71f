import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { read } from "../../../src/tool/read/read.ts";
import { aliveWith, isWaitingAlone, newToken } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { callWithPeak } from "../peak.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

const ownPath = process.env.PATH ?? "";
let ws: Workspace;
let tools: string;
beforeAll(() => {
  ws = makeWorkspace();
  tools = realpathSync(mkdtempSync(join(tmpdir(), "coder-pdf-")));
  // A PATH of this folder alone still has the shell that starts programs.
  symlinkSync(Bun.which("bash") ?? "/bin/bash", join(tools, "bash"));
});
afterEach(() => {
  process.env.PATH = ownPath;
  for (const name of ["pdftotext", "mutool"]) rmSync(join(tools, name), { force: true });
});
afterAll(() => {
  ws[Symbol.dispose]();
  rmSync(tools, { recursive: true, force: true });
});

/** A program of that name, and of the two only this one. */
function standIn(name: "pdftotext" | "mutool", script: string, folder = tools): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  process.env.PATH = folder;
  if (folder === tools) return;
  process.env.PATH = `${folder}${delimiter}${tools}`;
}

async function show(more: object = {}, path = "d.pdf", ctx: object = {}): Promise<string> {
  ws.put(path, "%PDF-1.4\n");
  return told(await ws.run(read, { path, ...more }, ctx));
}

describe("a PDF document that is read", () => {
  test("comes as its text, page by page, runs of empty lines as one, without being known for editing", async () => {
    standIn("pdftotext", String.raw`printf 'one  \n\n\n\ntwo\n\f\fthree\n\f'`);
    ws.put("d.pdf", "%PDF-1.4\n");
    expect(await ws.run(read, { path: "d.pdf" })).toEqual({
      ok: true,
      value: {
        text: "1\t--- page 1\n2\tone\n3\t\n4\ttwo\n5\t--- page 3\n6\tthree",
        data: { path: "d.pdf", first: 1, last: 6, total: 6, size: 9, pages: 3, tool: "pdftotext" },
      },
    });
  });

  test("is read by mutool where there is no pdftotext", async () => {
    standIn("mutool", String.raw`printf '%s ' "$1" "$2" "$3" "$4"; printf '\n\n\f\ntwo\n\n\f\n'`);
    expect(await show()).toBe("1\t--- page 1\n2\tdraw -q -F txt\n3\t--- page 2\n4\ttwo");
  });

  test("[PO-7] the program gets the very file that was judged, as no option, whatever its name, and nothing of our environment", async () => {
    standIn(
      "pdftotext",
      `printf '%s\\n' "$1" "$2" "$3" "$4" "$5"; /usr/bin/readlink "$6"; printf '%s\\n' "$7"; /usr/bin/env`,
    );
    process.env.SECRET_OF_TEST = "x";
    const lines = (await show({}, "-f 'a' $(touch owned) .pdf"))
      .split("\n")
      .map((line) => line.slice(line.indexOf("\t") + 1));
    delete process.env.SECRET_OF_TEST;
    expect(lines.slice(1, 8)).toEqual([
      "-layout",
      "-enc",
      "UTF-8",
      "-eol",
      "unix",
      ws.path("-f 'a' $(touch owned) .pdf"),
      "-",
    ]);
    const names = lines.slice(8).map((line) => line.slice(0, line.indexOf("=")));
    expect(names.filter((name) => ["SECRET_OF_TEST", "HOME", "CODER_HOME", "CODER_API_KEY"].includes(name))).toEqual(
      [],
    );
    expect(lines).toContain(`PATH=${tools}`);
    expect(existsSync(ws.path("owned"))).toBe(false);
  });

  test("without any text says so", async () => {
    standIn("pdftotext", String.raw`printf '\f\f'`);
    expect(await show()).toBe("(PDF document, pages: 2; no text in it: scanned pages need OCR, such as ocrmypdf)");
  });

  test("that breaks off shows what there was, and that it is not all", async () => {
    standIn("pdftotext", "echo start; echo 'Syntax Error: bad page' >&2; exit 1");
    expect(await show()).toBe("1\t--- page 1\n2\tstart\n(damaged, the rest could not be read: Syntax Error: bad page)");
  });
});

describe("[TP-6] paging a PDF document", () => {
  test("the pages, put together, are its text", async () => {
    standIn("pdftotext", "i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done");
    const first = await show({ limit: 300 });
    expect(first).toEndWith("300\tline 298\n(lines 1-300 of 9 bytes of PDF; continue with offset=301)");
    const second = await show({ offset: 301 });
    expect(second).toStartWith("301\tline 299\n");
    expect(second).toEndWith("501\tline 499");
    expect(await show({ offset: 502 })).toBe("E_INVALID_ARGS: d.pdf has 501 lines; offset 502 is past the end");
  });

  test("a program that never stops writing is ended as soon as the page is full", async () => {
    const token = newToken();
    standIn("pdftotext", `while :; do echo ${token} ${token}; done`);
    const lines = (await show({ limit: 3 })).split("\n");
    expect(lines.slice(0, 3)).toEqual(["1\t--- page 1", `2\t${token} ${token}`, `3\t${token} ${token}`]);
    expect(aliveWith(tools)).toEqual([]);
  });

  test("a line without end is cut, in bounded memory", () => {
    standIn("pdftotext", "/usr/bin/head -c 100000000 /dev/zero | /usr/bin/tr '\\0' x; echo; echo next");
    ws.put("d.pdf", "%PDF-1.4\n");
    const { text, megabytes } = callWithPeak(ws.root, "read", { path: "d.pdf" });
    expect(text).toBe(`1\t--- page 1\n2\t${"x".repeat(2000)} [line cut at 2000 characters]\n3\tnext`);
    expect(megabytes).toBeLessThan(160);
  }, 120_000);
});

describe("what cannot be read", () => {
  test("without a program the error names what to install", async () => {
    process.env.PATH = tools;
    expect(await show()).toBe(
      "E_IO: d.pdf is a PDF; reading it needs pdftotext or mutool, and neither is on the PATH outside the workspace\nInstall poppler-utils (macOS, Arch: poppler) or mupdf-tools, or ask the user to; then read it again.",
    );
  });

  test("[PO-7] a program that the workspace brings is never run: by folder, by relative or linked folder, by link", async () => {
    const bin = ws.path("bin");
    standIn("pdftotext", `echo ran > ${ws.path("ran")}; echo hostile`, bin);
    symlinkSync(bin, join(tools, "via"));
    process.env.PATH = ["bin", ".", "", bin, join(tools, "via"), tools].join(delimiter);
    symlinkSync(join(bin, "pdftotext"), join(tools, "pdftotext"));
    expect(await show()).toStartWith("E_IO: d.pdf is a PDF; reading it needs");
    expect(existsSync(ws.path("ran"))).toBe(false);
  });

  test("a locked and a broken document are told apart", async () => {
    standIn("pdftotext", "echo 'Command Line Error: Incorrect password' >&2; exit 1");
    expect(await show()).toBe(
      "E_INVALID_ARGS: d.pdf is a password-protected PDF\nAsk the user for a copy without a password.",
    );
    standIn("pdftotext", `printf 'warning: x\\nSyntax Error: no xref in %s\\n' "$6" >&2; exit 1`);
    expect(await show()).toBe(
      "E_INVALID_ARGS: pdftotext could not read d.pdf as a PDF: Syntax Error: no xref in the file\nIt may be damaged: get another copy, or inspect it with a shell command.",
    );
    standIn("pdftotext", "kill -SEGV $$");
    expect(await show()).toContain("as a PDF: it was ended by a signal\n");
    standIn("pdftotext", "exit 7");
    expect(await show()).toContain("as a PDF: exit code 7\n");
  });
});

describe("[CAN-4] nothing of the program survives", () => {
  const hanging = (token: string) =>
    `/usr/bin/env -i /usr/bin/setsid /bin/sleep ${token} & echo started; exec /bin/sleep ${token}`;

  test("its time limit, which is E_TOOL_TIMEOUT without effects", async () => {
    const token = newToken();
    standIn("pdftotext", hanging(token));
    ws.put("d.pdf", "%PDF-1.4\n");
    const result = await ws.run(read, { path: "d.pdf" }, { defaultTimeoutMs: 300 });
    expect(!result.ok && [result.error.code, result.error.sideEffect]).toEqual(["E_TOOL_TIMEOUT", "none"]);
    expect(told(result)).toContain("pdftotext did not finish reading d.pdf within 0.3 s");
    expect(aliveWith(token)).toEqual([]);
  }, 120_000);

  test("a cancel, while it runs and before it starts", async () => {
    const token = newToken();
    standIn("pdftotext", hanging(token));
    const cancel = new AbortController();
    const reading = show({}, "d.pdf", { signal: cancel.signal });
    await until("it runs", () => aliveWith(token).length >= 2);
    cancel.abort();
    expect(await reading).toStartWith("E_CANCELLED");
    expect(await show({}, "d.pdf", { signal: cancel.signal })).toStartWith("E_CANCELLED");
    const late = new AbortController();
    expect(await show({}, "d.pdf", { signal: late.signal, onSpawn: async () => late.abort() })).toStartWith(
      "E_CANCELLED",
    );
    expect(aliveWith(token)).toEqual([]);
  }, 120_000);

  test("its own end, when it leaves something behind that holds its output", async () => {
    const token = newToken();
    standIn("pdftotext", `/bin/sleep ${token} & echo all`);
    expect(await show()).toBe("1\t--- page 1\n2\tall");
    expect(aliveWith(token)).toEqual([]);
  }, 120_000);
});

test("[TP-3] the program does not start before its pid is stored, nor when it cannot be", async () => {
  standIn("pdftotext", `echo ran > ${tools}/ran; echo text`);
  const spawned: number[] = [];
  const onSpawn = async (pid: number): Promise<void> => {
    await until("it waits at the gate", () => isWaitingAlone(pid));
    expect(existsSync(join(tools, "ran"))).toBe(false);
    spawned.push(pid);
  };
  expect(await show({}, "d.pdf", { onSpawn })).toBe("1\t--- page 1\n2\ttext");
  expect(spawned.length).toBe(1);
  expect(readFileSync(join(tools, "ran"), "utf8")).toBe("ran\n");
  rmSync(join(tools, "ran"));
  const broken = show({}, "d.pdf", { onSpawn: () => Promise.reject(new Error("disk full")) });
  expect(broken).rejects.toThrow("disk full");
  await broken.catch(() => {});
  expect(existsSync(join(tools, "ran"))).toBe(false);
});

/** Three pages, the last empty. */
function realPdf(): Buffer {
  const pages = ["(Hello page one) Tj 0 -14 Td (second line) Tj", "(Page two) Tj", ""].map(
    (text) => `BT /F1 12 Tf 72 720 Td ${text} ET`,
  );
  const font = 3 + 2 * pages.length;
  const kids = pages.map((_, at) => `${3 + 2 * at} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((text, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * at} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ]),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const table = objects.map((object, at) => {
    const place = String(body.length).padStart(10, "0");
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const count = objects.length + 1;
  const xref = `xref\n0 ${count}\n0000000000 65535 f \n${table.join("")}`;
  return Buffer.from(`${body}${xref}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`);
}

for (const name of ["pdftotext", "mutool"] as const) {
  const program = Bun.which(name);
  test.skipIf(program === null)(
    `the real ${name} reads a real document and refuses a broken one (skipped where it is not installed)`,
    async () => {
      symlinkSync(program ?? "", join(tools, name));
      process.env.PATH = tools;
      ws.put("real.pdf", realPdf());
      expect(told(await ws.run(read, { path: "real.pdf" }))).toBe(
        "1\t--- page 1\n2\tHello page one\n3\tsecond line\n4\t--- page 2\n5\tPage two",
      );
      expect(await show()).toStartWith(`E_INVALID_ARGS: ${name} could not read d.pdf as a PDF: `);
    },
    120_000,
  );
}
