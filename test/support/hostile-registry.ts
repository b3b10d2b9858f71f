// A registry that has every package, each of them hostile: its install script and all its programs leave a mark.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";

export class HostileRegistry implements AsyncDisposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-registry-")));
  /** Exists as soon as any of its code ran; says how. */
  readonly marker = join(this.folder, "marker");
  /** What was asked for, in order: package names, archives as `files/NAME`. */
  readonly asked: string[] = [];
  private readonly server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.answer(request) });

  get url(): string {
    return this.server.url.href.replace(/\/$/, "");
  }

  private answer(request: Request): Response {
    const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
    this.asked.push(path);
    if (path.startsWith("files/")) return new Response(Bun.file(this.pack(path.slice("files/".length))));
    const dist = { tarball: `${this.url}/files/${path}` };
    const newest = "999.0.0";
    const manifest = (one: string) => [one, { ...manifestOf(path, this.marker, one), dist, hasInstallScript: true }];
    const versions = Object.fromEntries([version, newest].map(manifest));
    return Response.json({ name: path, "dist-tags": { latest: newest }, versions });
  }

  private pack(name: string): string {
    const content = join(this.folder, "offered", name);
    putHostile(join(content, "package"), name, this.marker);
    const archive = join(content, "archive.tgz");
    const packed = Bun.spawnSync(["tar", "czf", archive, "-C", content, "package"]);
    if (packed.exitCode !== 0) throw new Error(packed.stderr.toString());
    return archive;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function manifestOf(name: string, marker: string, one = version) {
  const script = `printf 'installed ' >> '${marker}'`;
  return { name, version: one, main: "bin/coder", bin: { coder: "bin/coder" }, scripts: { postinstall: script } };
}

/** The hostile package itself, as if someone had put it there. */
export function putHostile(folder: string, name: string, marker: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifestOf(name, marker)));
  writeFileSync(join(folder, "bin", "coder"), `#!/bin/sh\nprintf 'started ' >> '${marker}'\n`, { mode: 0o755 });
}
