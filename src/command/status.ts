import { phrase, say } from "../contract/text/catalogue.ts";
import type { SlashCommand } from "../engine/port.ts";
import { done, tooMany } from "./answer.ts";

export const status: SlashCommand = {
  name: "status",
  args: "",
  help: "command.status.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const { id, workspace, model, mode, preset, task, run, queue, usage, jobs } = port.state();
    const steps = "run" in run ? run.run.index : 0;
    const idleSteps = "run" in run ? run.run.breakers.idleSteps : 0;
    const assessment = task.phase === "IDLE" ? null : task.task.assessment;
    const { tokens, window } = port.context();
    const data = {
      session: id || null,
      workspace,
      model: model || null,
      mode,
      preset,
      task: task.phase,
      run: run.phase,
      steps,
      max_steps: port.settings.maxSteps,
      idle_steps: idleSteps,
      queued: queue.length,
      jobs: jobs.filter((job) => job.end === null).length,
      assessment,
      usage,
      context: { tokens, window },
    };
    const rows: readonly (readonly [string, string])[] = [
      ["session", data.session ?? "–"],
      ["workspace", workspace],
      ["model", data.model ?? "–"],
      ["mode", preset ? `${mode} (preset ${preset})` : mode],
      ["task", `${task.phase} / ${run.phase}`],
      ["steps", `${steps} / ${data.max_steps} (${say(lang, phrase("command.status.idle", { n: idleSteps }))})`],
      ["queue", String(queue.length)],
      ["jobs", String(data.jobs)],
      ["context", window > 0 ? `${tokens} / ${window}` : "–"],
      ["tokens", `${usage.input} in, ${usage.output} out, ${usage.cachedInput} cached`],
    ];
    return (
      tooMany(lang, "/status", args, 0) ??
      done(rows.map(([name, value]) => `${name.padEnd(11)}${value}`).join("\n"), data)
    );
  },
};
