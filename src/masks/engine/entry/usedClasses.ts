import type { ClassIndex, ClassNames } from './classNames';

/** Records which classes of an archive an image uses. */
export class UsedClasses implements ClassIndex {
  private readonly used = new Set<string>();

  constructor(private readonly all: ClassNames) {}

  /** In the order of their first use. */
  get names(): Iterable<string> {
    return this.used;
  }

  indexOf(name: string): number {
    this.used.add(name);
    return this.all.indexOf(name);
  }
}
