import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";

export const doctor: SlashCommand = {
  name: "doctor",
  args: "",
  help: "command.doctor.help",
  whileRunning: true,
  run: async (port) => {
    const { text, data } = await port.about.doctor();
    return done(text, data);
  },
};
