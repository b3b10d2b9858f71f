import { overviewRoom, overviewText, placesText, treeText } from "../../context/overview.ts";
import type { EventBody, OverviewPart } from "../../contract/event.ts";
import type { RepoIndex } from "../../index/open.ts";
import type { History } from "../../machine/history/history.ts";
import type { SessionState } from "../../machine/state.ts";
import { clean } from "../call/redact.ts";
import type { Loop } from "../loop/loop.ts";
import { type ModelCallDeps, requestTokens } from "../model/model-call.ts";
import { keyOf } from "../model/reply.ts";
import type { WorkspaceIndex } from "./workspace-index.ts";

/** Maximum delay of a request; a later overview joins the next request. */
const waitMs = 60;
/** The first request in a workspace waits this long for a new index, enough for a small one. */
const firstMs = 150;
/** After this many steps the model has found its way. */
const placesUntil = 3;

type Rooms = ReturnType<typeof overviewRoom>;
type IndexAnswer = Readonly<Record<"map" | "places", string>>;
type Wish = Readonly<Record<OverviewPart, boolean>>;

interface Question {
  readonly room: Rooms;
  readonly wish: Wish;
  readonly state: SessionState;
}

interface Asked {
  readonly key: string;
  readonly answer: Promise<IndexAnswer | null>;
}

/** Tells the model about the workspace (CX-4): the map once, and the likely places with each task. */
export class Overview {
  private readonly index: WorkspaceIndex;
  private readonly loop: () => Loop;
  private asked: Asked | null = null;
  private answered = "";
  private isTried = false;
  private paths: Promise<readonly string[] | null> | null = null;

  constructor(index: WorkspaceIndex, loop: () => Loop) {
    this.index = index;
    this.loop = loop;
  }

  /** Runs before a model call and is stored before it. Appended at the end of the history, so that no cached prefix changes. */
  async give(deps: ModelCallDeps, step: number, signal: AbortSignal): Promise<void> {
    // The built-in model reads the files itself.
    if (deps.ref.startsWith("builtin/")) return;
    const { state, history } = this.loop();
    if (state.task.phase === "IDLE" || !this.index.hasAnything) return;
    const { id } = state.task.task;
    const wish = wishOf(id, history, step, state);
    const isDue = wish.tree || wish.map || wish.places || this.paths !== null;
    // The room is counted over the whole history: not in steps that get no overview.
    if (!isDue && this.isTried) return this.index.refreshSoon();
    const room = roomFor(deps);
    const began = performance.now();
    const left = (): number => Math.max(0, firstMs - (performance.now() - began));
    if (room.tree > 0 && wish.tree) {
      this.paths = this.listed(signal);
      await this.giveTree(room.tree, signal, left());
    } else if (room.tree > 0 && this.paths !== null) await this.giveTree(room.tree, signal, 0);
    const isFirst = !this.index.isThere && !this.isTried && step === 1 && room.map > 0;
    if (isFirst) await within(this.index.make(left()), left());
    this.isTried = true;
    this.index.refreshSoon();
    if (!this.index.isThere) return;
    const key = `${id} ${this.index.rounds}`;
    if (this.answered === key || !(wish.map || wish.places) || room.map <= 0) return;
    // A partial index would name places in its part only, and nothing would correct them later.
    if (
      (await within(
        this.index.ask((index) => index.isWhole()),
        waitMs,
      )) !== true
    )
      return;
    const answer = await this.answerTo(key, { room, wish, state }, signal, isFirst ? Math.max(waitMs, left()) : waitMs);
    if (answer === null || signal.aborted) return;
    this.answered = key;
    const events = overviewEvents(answer, wish, state);
    if (events.length > 0) await this.loop().pushStored(...events);
  }

  /** `null` when aborted: part of the paths would pass for the whole tree. */
  private listed(signal: AbortSignal): Promise<readonly string[] | null> {
    return this.index.ask(async (index, closing) => {
      const stop = AbortSignal.any([signal, closing]);
      const paths = await index.paths(stop);
      return stop.aborted ? null : paths;
    });
  }

  /** Paths come from the disk, usually in time for the first request; else they join a later one. */
  private async giveTree(room: number, signal: AbortSignal, ms: number): Promise<void> {
    const paths = this.paths && (await within(this.paths, ms));
    if (paths === null || signal.aborted) return;
    this.paths = null;
    const text = fenced("tree", treeText(paths, room), this.loop().state.id);
    if (text !== "") await this.loop().pushStored({ type: "overview.given", part: "tree", text });
  }

  /** Only the first request waits; later ones take what is ready. */
  private answerTo(key: string, question: Question, signal: AbortSignal, ms: number): Promise<IndexAnswer | null> {
    if (this.asked?.key === key) return within(this.asked.answer, 0);
    const { history } = this.loop();
    const answer = this.index.ask((index, stop) => askIndex(index, question, history, AbortSignal.any([stop, signal])));
    this.asked = { key, answer };
    return within(answer, ms);
  }
}

/** The tree comes with the first task, the map once: the model has seen all changes since. */
function wishOf(taskId: string, { overview, entries }: History, step: number, { view }: SessionState): Wish {
  // Not given twice for a task, even after a crash: the repeated call must have the same bytes.
  const last = entries.findLast(({ kind }) => kind === "user" || kind === "step" || kind === "overview")?.kind;
  const isOpen = last === "step" ? overview.placesFor !== taskId : last === "user";
  // A compaction removed the map, or there was none.
  const isUnseen = overview.at < Math.max(0, view.trimBefore, view.pruneBefore, view.overviewsFrom ?? 0);
  const isFirst = last === "user" && !entries.some(({ kind }) => kind === "step");
  return {
    tree: isFirst && overview.tree === "",
    map: overview.at === -1 || (isUnseen && last === "user"),
    places: step <= placesUntil && isOpen,
  };
}

function roomFor(deps: ModelCallDeps): Rooms {
  const { settings, window, calibration } = deps;
  const free = (window * settings.compactAt) / calibration.ratio - requestTokens(deps);
  return overviewRoom(settings.mapTokens, window / calibration.ratio, free);
}

async function askIndex(
  index: RepoIndex,
  { room, wish, state: { task, workspace } }: Question,
  { known, entries }: History,
  signal: AbortSignal,
): Promise<IndexAnswer> {
  const map = wish.map ? await index.map(room.map, { mentioned: attachedIn(entries) }) : "";
  if (!wish.places || room.places <= 0 || task.phase === "IDLE") return { map, places: "" };
  const { text, about = text } = task.task.input;
  if (about.trim() === "") return { map, places: "" };
  const { files, isVague } = await index.search(about, { budget: room.places, signal });
  // Files the model has read need no snippets.
  const unread = files.filter(({ path }) => !known.has(`${workspace}/${path}`));
  return { map, places: isVague ? "" : placesText(unread, room.places) };
}

function attachedIn(entries: History["entries"]): readonly string[] {
  const task = entries.findLast((entry) => entry.kind === "user");
  const files = (task?.attachments ?? []).filter(({ kind }) => kind === "file");
  return files.map(({ name }) => name.replace(/:\d+(?:-\d+)?$/, ""));
}

function overviewEvents(answer: IndexAnswer, wish: Wish, { id }: SessionState): readonly EventBody[] {
  const map = wish.map ? fenced("map", answer.map, id) : "";
  const places = wish.places ? fenced("places", answer.places, id) : "";
  return [
    ...(map === "" ? [] : [{ type: "overview.given", part: "map", text: map } as const]),
    ...(places === "" ? [] : [{ type: "overview.given", part: "places", text: places } as const]),
  ];
}

/** `session` is unknown to the authors of the files, so they cannot forge the key. */
function fenced(part: OverviewPart, text: string, session: string): string {
  const kept = clean(text).trimEnd();
  return kept === "" ? "" : overviewText(part, kept, keyOf(session, part, kept));
}

/** `null`: timed out. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
