import { reason } from '../../base/reasons';
import { tooManyObjects } from '../node/archiveContents';

/** Class indexes are 16-bit. */
const MAX_CLASSES = 65_536;
/** Maximum characters of all names together: few enough for one message. */
const MAX_CHARACTERS = 2 ** 20;

/** Assigns an index to each class. */
export interface ClassIndex {
  indexOf(name: string): number;
}

/** The classes of an archive, in order: those in `index.json`, then others as objects use them. */
export class ClassNames implements ClassIndex {
  private readonly indexes = new Map<string, number>();

  private readonly limit: number;
  private characters = 0;

  /**
   * `declared`: the keys of classData in `index.json`; undefined without that file. Throws as
   * indexOf does.
   */
  constructor(
    private readonly declared?: readonly string[],
    limit = MAX_CLASSES,
  ) {
    this.limit = Math.min(MAX_CLASSES, limit);
    for (const name of declared ?? []) this.indexOf(name);
  }

  get names(): string[] {
    return [...this.indexes.keys()];
  }

  /** Classes of objects that `index.json` doesn't name. */
  get undeclared(): string[] {
    if (!this.declared) return [];
    const declared = new Set(this.declared);
    return this.names.filter(name => name !== '' && !declared.has(name));
  }

  /**
   * The index of a class; adds a new one. Throws `too-many-objects` for too many or too long names.
   */
  indexOf(name: string): number {
    let index = this.indexes.get(name);
    if (index === undefined) {
      index = this.indexes.size;
      if (index >= this.limit)
        throw tooManyObjects(reason('The archive has more than {0} classes', this.limit));
      if (this.characters + name.length > MAX_CHARACTERS)
        throw tooManyObjects(reason('The class names are too long'));
      this.characters += name.length;
      this.indexes.set(name, index);
    }
    return index;
  }

  /** The same classes, recording those that an image uses. */
  recording(): UsedClasses {
    return new UsedClasses(this);
  }
}

/** Records which classes of an archive an image uses. */
class UsedClasses implements ClassIndex {
  private readonly used = new Set<string>();

  constructor(private readonly archiveClasses: ClassNames) {}

  /** In the order of their first use. */
  get names(): Iterable<string> {
    return this.used;
  }

  indexOf(name: string): number {
    this.used.add(name);
    return this.archiveClasses.indexOf(name);
  }
}
