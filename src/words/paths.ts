// File names in a text. Without regular expressions: see letters.ts.
import { isLetter, isWordPart } from "./letters.ts";

const nameSigns = ".~@+%:\\/-";

export function withoutPaths(text: string): string {
  let kept = "";
  let taken = 0;
  for (let at = 0, end = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Every file name has a dot or a slash.
    if (code !== 0x2e && code !== 0x2f && code !== 0x5c) continue;
    const from = startOfName(text, at, end);
    end = endOfName(text, at);
    const bare = withoutStops(text.slice(from, end));
    if (isPath(bare)) {
      kept += text.slice(taken, from);
      taken = from + bare.length;
    }
    at = end;
  }
  return kept + text.slice(taken);
}

export function hasPath(text: string): boolean {
  return withoutPaths(text) !== text;
}

/** The start of the possible name around this position. */
function startOfName(text: string, from: number, least: number): number {
  let at = from;
  while (at > least && (isWordPart(text.charCodeAt(at - 1)) || nameSigns.includes(text.charAt(at - 1)))) at--;
  return at;
}

function endOfName(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isWordPart(text.charCodeAt(at)) || nameSigns.includes(text.charAt(at)))) at++;
  return at;
}

/** Trailing stops belong to the sentence, not to the name. */
function withoutStops(word: string): string {
  let end = word.length;
  while (end > 0 && (word[end - 1] === "." || word[end - 1] === ":")) end--;
  return word.slice(0, end);
}

function isPath(word: string): boolean {
  const slash = nextSlash(word, 0);
  if (slash === word.length) return isFileName(word);
  const isSingle = nextSlash(word, slash + 1) === word.length;
  if (isSingle && !isRoot(word.slice(0, slash))) return isFileName(word.slice(slash + 1));
  return hasLetterOrDigit(word);
}

function nextSlash(word: string, from: number): number {
  let at = from;
  while (at < word.length && word[at] !== "/" && word[at] !== "\\") at++;
  return at;
}

/** The part of a path before its first slash. */
function isRoot(start: string): boolean {
  if (start === "" || start === "." || start === ".." || start === "~") return true;
  return start.length === 2 && isLetter(start.charCodeAt(0)) && start[1] === ":";
}

function hasLetterOrDigit(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isLetterOrDigit(word.charCodeAt(at))) return true;
  return false;
}

function isLetterOrDigit(code: number): boolean {
  return code !== 0x5f && isWordPart(code);
}

const longestExtension = 10;

/** Not "e.g.", "a.m.", or a sentence end without a blank ("done.Then"). */
function isFileName(name: string): boolean {
  const dot = name.lastIndexOf(".");
  if (dot < 1 || name[0] === "." || name.length - dot - 1 > longestExtension) return false;
  if (!isLetter(name.charCodeAt(dot + 1))) return false;
  for (let at = 0; at < name.length; at++) {
    if (at > dot ? !isLetterOrDigit(name.charCodeAt(at)) : !isStemPart(name, at)) return false;
  }
  return !isAbbreviation(name) && (name === name.toLowerCase() || !hasSentenceEnd(name));
}

function isStemPart(name: string, at: number): boolean {
  return isWordPart(name.charCodeAt(at)) || ".@+-".includes(name.charAt(at));
}

/** Single letters separated by dots. */
function isAbbreviation(name: string): boolean {
  if (name.length % 2 === 0) return false;
  for (let at = 0; at < name.length; at++) {
    if (at % 2 === 0 ? !isLetter(name.charCodeAt(at)) : name[at] !== ".") return false;
  }
  return true;
}

function hasSentenceEnd(name: string): boolean {
  return /[a-z]\.[A-Z][a-z]/.test(name);
}
