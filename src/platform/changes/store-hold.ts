// A command may delete the repository together with the workspace, and with it the content of every clean file: in the sandbox, too, git's
// objects can be removed. It cannot take away files that we hold open.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listNames, orNull } from "../files/probe.ts";
import type { TreeFolder } from "./file-tree.ts";
import { Keep } from "./keep.ts";
import type { Repository } from "./repository.ts";
import { textOf } from "./rules.ts";

/** Git packs objects long before; objects beyond this are reported as not kept if they are lost. */
const maxLoose = 10_000;
const maxPacks = 200;
const packNames = /^pack-[0-9a-f]+\.(?:pack|idx)$/;

interface HeldObjects {
  readonly packs: Map<string, number>;
  readonly loose: Map<string, string>;
  /** Objects that were looked for among the loose ones. */
  readonly seen: Set<string>;
  alternates: string;
}

export class StoreHold {
  private readonly stores = new Map<string, HeldObjects>();
  private readonly keep: Keep;

  constructor(maxBytes: number) {
    this.keep = new Keep(maxBytes, 0);
  }

  /** Holds the objects that a tree needs. Objects that are already held cost nothing. */
  take(tree: TreeFolder): void {
    // Only Linux can pass an open file to another program by name.
    if (process.platform !== "linux") return;
    for (const [repository, oids] of blobsIn(tree)) this.takeStore(repository, oids);
  }

  /** Calls `use` with a reconstructed repository; not at all if nothing of it is held. */
  async lend(repository: Repository, use: (held: Repository) => Promise<void>): Promise<void> {
    const held = this.stores.get(repository.commonDir);
    if (held === undefined) return;
    const gitDir = mkdtempSync(join(tmpdir(), "coder-store-"));
    try {
      this.build(gitDir, held, repository.hash);
      await use({ ...repository, gitDir, commonDir: gitDir });
    } finally {
      rmSync(gitDir, { recursive: true, force: true });
    }
  }

  close(): void {
    for (const { packs } of this.stores.values()) for (const fd of packs.values()) closeSync(fd);
    this.stores.clear();
    this.keep.close();
  }

  private takeStore({ commonDir }: Repository, oids: ReadonlySet<string>): void {
    const held = this.stores.get(commonDir) ?? { packs: new Map(), loose: new Map(), seen: new Set(), alternates: "" };
    this.stores.set(commonDir, held);
    const objects = join(commonDir, "objects");
    // What was in a pack that is gone may be loose now.
    if (takePacks(join(objects, "pack"), held.packs)) held.seen.clear();
    held.alternates = textOf(join(objects, "info/alternates")).replace(/^[^/#\n].*$/gm, (path) => join(objects, path));
    const missing = oids.difference(held.seen);
    for (const oid of missing) held.seen.add(oid);
    for (const oid of missing.size > 0 ? looseIn(objects) : []) {
      if (held.loose.size >= maxLoose) return;
      if (missing.has(oid) && !held.loose.has(oid)) this.takeLoose(objects, oid, held);
    }
  }

  private takeLoose(objects: string, oid: string, held: HeldObjects): void {
    const bytes = orNull(() => readFileSync(join(objects, placeOf(oid))));
    const hash = bytes && this.keep.add(bytes);
    if (hash !== null) held.loose.set(oid, hash);
  }

  private build(gitDir: string, { packs, loose, alternates }: HeldObjects, hash: Repository["hash"]): void {
    for (const name of ["refs", "objects/pack", "objects/info"]) mkdirSync(join(gitDir, name), { recursive: true });
    const format = hash === "sha256" ? "1\n[extensions]\n\tobjectformat = sha256\n" : "0\n";
    const files = {
      HEAD: "ref: refs/heads/none\n",
      config: `[core]\n\tbare = true\n\trepositoryformatversion = ${format}`,
    };
    for (const [name, text] of Object.entries({ ...files, "objects/info/alternates": alternates }))
      writeFileSync(join(gitDir, name), text);
    for (const [name, fd] of packs) symlinkSync(`/proc/${process.pid}/fd/${fd}`, join(gitDir, "objects/pack", name));
    for (const [oid, kept] of loose) {
      const path = join(gitDir, "objects", placeOf(oid));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, this.keep.get(kept) ?? "");
    }
  }
}

function blobsIn(
  { entries, folders, place }: TreeFolder,
  found = new Map<Repository, Set<string>>(),
): ReadonlyMap<Repository, ReadonlySet<string>> {
  const { repository } = place;
  if (repository !== null) {
    const oids = found.get(repository) ?? new Set();
    for (const { content } of entries) if (content?.kind === "blob") oids.add(content.id);
    found.set(repository, oids);
  }
  for (const folder of folders) blobsIn(folder, found);
  return found;
}

/** Pack files never change; packs that git has replaced are released. Returns whether there were any. */
function takePacks(folder: string, packs: Map<string, number>): boolean {
  const names = listNames(folder).filter((name) => packNames.test(name));
  const gone = [...packs].filter(([name]) => !names.includes(name));
  for (const [name, fd] of gone) {
    closeSync(fd);
    packs.delete(name);
  }
  for (const name of names) {
    if (packs.size >= 2 * maxPacks) break;
    const fd = packs.has(name) ? null : orNull(() => openSync(join(folder, name), "r"));
    if (fd !== null) packs.set(name, fd);
  }
  return gone.length > 0;
}

function* looseIn(objects: string): Iterable<string> {
  for (let first = 0; first < 256; first++) {
    const folder = first.toString(16).padStart(2, "0");
    for (const name of listNames(join(objects, folder))) yield folder + name;
  }
}

function placeOf(oid: string): string {
  return join(oid.slice(0, 2), oid.slice(2));
}
