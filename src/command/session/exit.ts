import type { SlashCommand } from "../../engine/port.ts";
import { quit } from "./quit.ts";

/** The usual name elsewhere. */
export const exit: SlashCommand = { ...quit, name: "exit" };
