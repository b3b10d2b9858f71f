// The floor of the terminal: nothing but the editor of the library that ours is built with, in its own screen.
import { Editor, ProcessTerminal, TuiMainScreen } from "@earendil-works/pi-tui";

const same = (text: string): string => text;
const selectList = { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same };
const tui = new TuiMainScreen(new ProcessTerminal());
const editor = new Editor(tui, { borderColor: same, selectList });
tui.addChild(editor);
tui.setFocus(editor);
tui.start();
