// Changes of the mode: consecutive ones become a single block.
import type { Mode } from "../../../contract/task.ts";
import type { Block } from "../blocks/block.ts";
import { ModeBlock } from "../blocks/note.ts";
import type { Look } from "../terminal/look.ts";

export class ModeBlocks {
  private readonly look: Look;
  private readonly add: (block: Block) => void;
  private mode: Mode | null = null;
  private block: ModeBlock | null = null;

  constructor(look: Look, add: (block: Block) => void) {
    this.look = look;
    this.add = add;
  }

  /** The mode of the session, not a change. */
  begin(mode: Mode): void {
    this.mode = mode;
  }

  change(mode: Mode, isPast: boolean): void {
    if (!isPast && this.block === null) {
      this.block = new ModeBlock(this.look, this.mode, mode);
      this.add(this.block);
    }
    this.block?.change(mode);
    this.mode = mode;
  }

  /** The next output names the mode. */
  drop(): void {
    this.block?.drop();
  }

  end(): void {
    this.block?.end();
    this.block = null;
  }
}
