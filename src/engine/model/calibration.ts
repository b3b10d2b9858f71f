export class Calibration {
  /** Counted ÷ estimated tokens; 1 until a provider reports usage. */
  ratio = 1;
  private estimate = 0;

  sent(estimate: number): void {
    this.estimate = estimate;
  }

  counted(input: number): void {
    if (input > 0 && this.estimate > 0) this.ratio = Math.min(3, Math.max(0.5, input / this.estimate));
  }
}
