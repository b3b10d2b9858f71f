import { hasMixedCase, isDummyValue, isMasked, isRandom, isReference, isTestValue, shapeOf } from "./value.ts";

/** The evidence that a value's position gives. */
export interface Place {
  readonly isPassword: boolean;
  readonly isQuoted: boolean;
  /** An environment line, a flag or a connection string: the text there is a value, not code. */
  readonly isStrong: boolean;
  readonly isEnv: boolean;
  readonly isFlag: boolean;
  /** The next item of a list: counts as the value of the name before it only if it looks random. */
  readonly isListed: boolean;
  /** In the middle of a line, where code and prose look alike. */
  readonly isLoose: boolean;
}

/** Names of types and algorithms that contain a number. */
const technical =
  /^(?:u?int|float|big|utf|ucs|sha|md|base|hs|rs|es|ps|aes|x|v|oauth|argon|ed|p|latin|iso|windows)-?[0-9]{1,5}(?:[A-Za-z]{0,12}|[-_][A-Za-z]{1,12})$/i;
const member = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;

export function isSecretValue(value: string, place: Place): boolean {
  const shape = shapeOf(value);
  if (value.length < 4 || shape.letters + shape.digits + shape.signs < 4) return false;
  if (!place.isStrong && !shape.isAscii) return false;
  // Plain words: rejects most values early, before the slower checks.
  if (!place.isStrong && shape.digits + shape.signs === 0 && !hasMixedCase(shape.length, shape.changes)) return false;
  if (isReference(value) || isMasked(value) || technical.test(value)) return false;
  if (!place.isQuoted && member.test(value) && !(shape.digits > 1 && isRandom(value))) return false;
  if (place.isListed && !isRandom(value)) return false;
  if (place.isStrong) return isStrongSecret(value, place);
  if (isTestValue(value)) return false;
  return place.isPassword ? isPassword(value, place) : isKey(value, place);
}

function isStrongSecret(value: string, place: Place): boolean {
  if (isDummyValue(value)) return false;
  if (place.isPassword) return true;
  return value.length >= 8 && (place.isEnv || isKey(value, place));
}

function isPassword(value: string, place: Place): boolean {
  const { letters, digits, signs } = shapeOf(value);
  if (letters === 0 || value.length < 6) return false;
  return place.isLoose ? digits > 0 : digits + signs > 0;
}

function isKey(value: string, place: Place): boolean {
  if (isRandom(value)) return value.length >= (place.isLoose ? 16 : 12);
  const { letters, digits, signs } = shapeOf(value);
  return !place.isLoose && value.length >= 8 && letters > 0 && digits > 0 && signs > 0;
}
