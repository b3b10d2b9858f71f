// A copy of this checkout, where scripts may write what they like.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "..", "..");

/** Tracked and new files alike, without history; packages are those of the original. */
export class Checkout implements Disposable {
  readonly root: string;
  /** For what is made from the checkout. */
  readonly outside: string;
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-checkout-")));

  constructor() {
    this.root = join(this.folder, "checkout");
    this.outside = join(this.folder, "outside");
    mkdirSync(this.outside);
    const list = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
    for (const path of list.stdout.toString().split("\0").filter(Boolean)) this.copy(path);
    symlinkSync(join(root, "node_modules"), join(this.root, "node_modules"));
  }

  /** With its times: the launcher asks whether the packages are newer than the lockfile. */
  private copy(path: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    try {
      cpSync(join(root, path), join(this.root, path), { preserveTimestamps: true });
    } catch (error) {
      // Tracked, but deleted in the working tree.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
