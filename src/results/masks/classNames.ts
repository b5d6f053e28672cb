import { CodedError } from '../../base/errors';

/** Class indices are 16-bit. */
const MAX_CLASSES = 65_536;
/** Of all names together: far beyond what anybody can read, and small enough for one message. */
const MAX_CHARACTERS = 2 ** 20;

/** The classes of an archive in a fixed order: those its index names, then others as objects bring them. */
export class ClassNames {
  private readonly indices = new Map<string, number>();

  private readonly most: number;
  private characters = 0;

  /** `declared` are the keys of the index's classData; undefined when there is no index. Throws as indexOf does. */
  constructor(
    private readonly declared?: readonly string[],
    most = MAX_CLASSES,
  ) {
    this.most = Math.min(MAX_CLASSES, most);
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

  /** The index of a class; a new one is added. Throws `too-many-objects` when there are too many, or endless names. */
  indexOf(name: string): number {
    let index = this.indices.get(name);
    if (index === undefined) {
      index = this.indices.size;
      if (index >= this.most) throw tooMany(`The archive has more than ${this.most} classes.`);
      if (this.characters + name.length > MAX_CHARACTERS)
        throw tooMany('The names of the classes are too long.');
      this.characters += name.length;
      this.indices.set(name, index);
    }
    return index;
  }
}

function tooMany(reason: string): CodedError {
  return new CodedError('too-many-objects', reason, { reason });
}
