import type { ClassIndex, ClassNames } from './classNames';

/** The classes of an archive as one image uses them. */
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
