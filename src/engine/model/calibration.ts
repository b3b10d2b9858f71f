export class Calibration {
  /** Counted ÷ estimated tokens; 1 until a provider reports usage. */
  ratio = 1;

  /** Returns what to call with the provider's count of the same request: several may be under way. */
  sent(estimate: number): (input: number) => void {
    return (input) => {
      if (input > 0 && estimate > 0) this.ratio = Math.min(3, Math.max(0.5, input / estimate));
    };
  }
}
