import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadSettings, switchModel } from "../../config/load.ts";
import { CoderError, ok, type Result, unwrap } from "../../contract/error.ts";
import { wireCallId } from "../../contract/ids.ts";
import type { RulesNow } from "../../contract/rules.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Store } from "../../contract/store.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { UiChoice } from "../../contract/ui.ts";
import { Engine, type EngineDeps } from "../../engine/engine.ts";
import { indexPathOf } from "../../index/place.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { openStore } from "../../store/open.ts";
import { readSnapshot, snapshotSeq, writeInCoderFolder, writeSnapshot } from "../../store/snapshot.ts";
import type { Flags } from "../cli/flags.ts";
import { sourcesFrom } from "../trust/trust-state.ts";
import { branchOf, headOf } from "./branch.ts";
import { logInternal, newTraceId } from "./fault-log.ts";
import { keepChosen, keepSecrets } from "./own-secrets.ts";

export interface Setup {
  readonly settings: Settings;
  readonly store: Store;
  readonly engine: Engine;
}

/** Does not verify the examples of rules. */
export function settingsFrom(flags: Flags, withModel: boolean): Settings {
  return unwrap(loadSettings(sourcesFrom(flags, withModel)));
}

/** PO-3: a rule of the user's that fails its examples is an error; one of the project's is only reported. */
export async function soundSettings(flags: Flags, withModel: boolean): Promise<Settings> {
  const settings = settingsFrom(flags, withModel);
  if (settings.rules.every(({ examples }) => examples === undefined)) return settings;
  const { brokenExamples } = await import("../../policy/rule/examples.ts");
  const broken = brokenExamples(settings.rules, settings.workspace);
  const own = broken.find(({ rule }) => rule.by === "person");
  if (own) throw new CoderError({ code: "E_CONFIG", text: own.problem, advice: phrase("permission.example_advice") });
  const { trust } = settings;
  return { ...settings, trust: { ...trust, ignored: [...trust.ignored, ...broken.map(({ problem }) => problem)] } };
}

export async function withStore<T>(
  flags: Flags,
  work: (store: Store, settings: Settings) => T | Promise<T>,
): Promise<T> {
  const settings = settingsFrom(flags, false);
  const store = openStore(settings.home);
  try {
    return await work(store, settings);
  } finally {
    store.close();
  }
}

export function setUp(
  loaded: Settings,
  flags: Flags,
  isInteractive: () => boolean,
  replaced: Partial<EngineDeps> = {},
): Setup {
  const added: string[] = [];
  const chosen: ChosenNow = {};
  const settings = withChanges(loaded, added, chosen);
  let readRules: (() => RulesNow) | null = null;
  const store = openStore(settings.home);
  const engine = new Engine({
    settings,
    store,
    isInteractive,
    commands: async () => (await import("../../command/all.ts")).allCommands,
    loadTools: async () => {
      const { openToolbox } = await import("./toolbox.ts");
      // Opened with the tools: no session starts before them, and one without tools needs no rules.
      readRules = (await import("./rule-source.ts")).rulesReader(settings);
      return openToolbox(settings);
    },
    openModel: async (choice) =>
      (await import("../../model/open.ts")).openModel(choice, { idleMs: settings.modelIdleMs }, settings.network),
    chooseModel: (ref, effort) => keepChosen(switchModel(ref, sourcesFrom({ ...flags, trust: false }, true), effort)),
    knownModels: async () => (await import("./known-models.ts")).knownModels(flags),
    secrets: keepSecrets(settings, flags),
    newSessionId,
    newTraceId,
    logInternal: (traceId, error) => logInternal(settings.home, traceId, error),
    os: `${process.platform} ${process.arch}`,
    pathVariable: process.env.PATH ?? "",
    pid: process.pid,
    hints: () => hintsFor(settings),
    head: () => headOf(settings.workspace),
    rules: () => readRules?.() ?? { files: [], notices: [] },
    index: {
      isThere: () => existsSync(indexPathOf(settings.workspace, settings.home)),
      hasFiles: () => hasFiles(settings.workspace),
      open: async () => (await import("./repo-index.ts")).openRepoIndex(settings),
    },
    skills: async () => (await import("./toolbox.ts")).skillsNow(settings),
    persistModel: async (ref) => (await import("./persist-model.ts")).persistModel(settings, ref),
    setUi: async (choice) => {
      Object.assign(chosen, choice);
      return await (await import("./own-config.ts")).persistUi(settings, flags, choice);
    },
    allowCheck: async (command) => {
      const allowed = await (await import("./own-config.ts")).allowCheck(settings, flags, command);
      if (allowed.ok) added.push(command);
      return allowed;
    },
    typeDirectly: async () => {
      const kept = await (await import("./own-config.ts")).typeDirectly(settings, flags);
      if (kept.ok) chosen.shellApproval = "direct";
      return kept;
    },
    exportPlan: async (plan, file, id) => (await import("../session/export.ts")).exportPlan(settings, plan, file, id),
    exportSession: async (id, form, file) =>
      (await import("../session/export.ts")).exportOpen(store, settings, id, form, file),
    about: {
      config: async (key) => {
        const report = await (await import("../command/config.ts")).configReport(key, flags, settings.lang);
        return report.ok ? ok({ ...report.value, text: report.value.text.trimEnd() }) : report;
      },
      doctor: async () => {
        const { text, data } = await (await import("../doctor/doctor.ts")).doctorReport(flags, settings.lang);
        return { text: text.trimEnd(), data };
      },
      memory: async () => (await import("./rule-source.ts")).memoryFiles(settings),
    },
    readSnapshot: (id) => readSnapshot(settings.workspace, id),
    snapshotSeq: (id) => snapshotSeq(settings.workspace, id),
    writeSnapshot: (id, text) => writeSnapshot(settings.workspace, id, text),
    spill: (id, call, text) => writeSpill(settings.workspace, `${id}_${wireCallId(call.id)}.txt`, text),
    ...replaced,
  });
  return { settings, store, engine };
}

type ChosenNow = { -readonly [Key in keyof UiChoice]: UiChoice[Key] } & { shellApproval?: Settings["shellApproval"] };

/** The user's additions and choices apply at once, in every session of this process. */
function withChanges(settings: Settings, added: readonly string[], chosen: ChosenNow): Settings {
  const { verifyAllowed } = settings.workflow;
  const workflow = {
    ...settings.workflow,
    get verifyAllowed() {
      return [...verifyAllowed, ...added];
    },
  };
  return Object.freeze({
    ...settings,
    workflow: Object.freeze(workflow),
    get shellApproval() {
      return chosen.shellApproval ?? settings.shellApproval;
    },
    get lang() {
      return chosen.lang ?? settings.lang;
    },
    get ui() {
      const { theme, statusline, vim } = { ...settings.ui, ...chosen };
      return { ...settings.ui, theme, statusline, vim };
    },
  });
}

/** Sorts by time and is short enough to type. */
export function newSessionId(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  const tail = [...random].map((byte) => (byte % 36).toString(36)).join("");
  return `${Math.floor(Date.now() / 1000).toString(36)}-${tail}`;
}

/** Apart from git's directory and ours; `false` if the workspace is unreadable. */
function hasFiles(workspace: string): boolean {
  try {
    return readdirSync(workspace).some((name) => name !== ".git" && name !== ".coder");
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** CX-1: changes from task to task, so it follows the cached prefix. */
function hintsFor(settings: Settings): string {
  const now = new Date().toISOString().slice(0, 16).replace("T", " ");
  const branch = branchOf(settings.workspace);
  return `time: ${now} UTC${branch ? `\nbranch: ${branch}` : ""}`;
}

/** TP-6: spills output that does not fit the request to a file under `.coder/` that `read` can page through. */
function writeSpill(workspace: string, name: string, text: string): Result<string> {
  const written = writeInCoderFolder(workspace, "output", name, text);
  return written.ok ? ok(join(".coder", "output", name)) : written;
}
