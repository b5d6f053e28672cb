import { CodedError } from '../../base/errors';

/** Class indices are 16-bit. */
const MAX_CLASSES = 65_536;

/** The classes of an archive in a fixed order: those its index names, then others as objects bring them. */
export class ClassNames {
  private readonly indices = new Map<string, number>();

  /** `declared` are the keys of the index's classData; undefined when there is no index. */
  constructor(private readonly declared?: readonly string[]) {
    for (const name of declared ?? []) this.indexOf(name);
  }

  get names(): string[] {
    return [...this.indices.keys()];
  }

  /** Classes that objects have although the index does not name them. */
  get undeclared(): string[] {
    if (!this.declared) return [];
    const declared = new Set(this.declared);
    return this.names.filter(name => name !== '' && !declared.has(name));
  }

  /** The index of a class; a new one is added. Throws `too-many-objects` past 65,536 classes. */
  indexOf(name: string): number {
    let index = this.indices.get(name);
    if (index === undefined) {
      index = this.indices.size;
      if (index >= MAX_CLASSES)
        throw new CodedError('too-many-objects', 'More than 65,536 classes', {
          reason: 'The archive has more than 65,536 classes.',
        });
      this.indices.set(name, index);
    }
    return index;
  }
}
