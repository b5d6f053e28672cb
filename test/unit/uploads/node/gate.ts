/** A promise that a test settles. */
export class Gate {
  readonly promise: Promise<void>;
  open: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.open = resolve;
      this.fail = reject;
    });
  }
}
