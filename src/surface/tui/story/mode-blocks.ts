// Changes of the mode: the user may cycle through several, and only the last one is shown.
import type { Mode } from "../../../contract/task.ts";
import { type Block, WholeBlock } from "../blocks/block.ts";
import { noteLines } from "../blocks/note.ts";
import { type Look, words } from "../terminal/look.ts";

class ModeBlock extends WholeBlock {
  readonly group = "step";
  readonly detail = null;
  isOver = false;
  private readonly look: Look;
  from: Mode | null;
  mode: Mode;

  constructor(look: Look, from: Mode | null, mode: Mode) {
    super();
    this.look = look;
    this.from = from;
    this.mode = mode;
  }

  protected lines(): readonly string[] {
    if (this.mode === this.from) return [];
    return noteLines(this.look, words(this.look, "command.mode.is", { mode: this.mode }), false);
  }
}

export class ModeBlocks {
  private readonly look: Look;
  private readonly add: (block: Block) => void;
  private mode: Mode | null = null;
  private block: ModeBlock | null = null;

  constructor(look: Look, add: (block: Block) => void) {
    this.look = look;
    this.add = add;
  }

  begin(mode: Mode): void {
    this.mode = mode;
  }

  change(mode: Mode, isPast: boolean): void {
    if (this.block) this.block.mode = mode;
    else if (!isPast) {
      this.block = new ModeBlock(this.look, this.mode, mode);
      this.add(this.block);
    }
    this.mode = mode;
  }

  /** Ends the series. `isShown`: other output names the mode already. */
  end(isShown = false): void {
    if (this.block === null) return;
    if (isShown) this.block.from = this.block.mode;
    this.block.isOver = true;
    this.block = null;
  }
}
