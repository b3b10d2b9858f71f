import { jobState } from "../../contract/job.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";

export const jobs: SlashCommand = {
  name: "jobs",
  args: "[kill ID]",
  help: "command.jobs.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang } = port.settings;
    const [action, id, ...more] = args;
    if (action === undefined) {
      const list = port.state().jobs;
      const text = list.map((job) => say(lang, jobState(job))).join("\n");
      return done(text || say(lang, phrase("command.jobs.none")), list);
    }
    if (action !== "kill" || id === undefined) return refused(lang, phrase("command.jobs.usage"));
    const extra = tooMany(lang, "/jobs kill", more, 0);
    if (extra) return extra;
    const killed = await port.killJob(id);
    return killed.ok ? done(say(lang, jobState(killed.value)), killed.value) : refused(lang, killed.error.text);
  },
};
