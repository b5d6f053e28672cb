import { isCoded } from '../../base/errors';
import type { JsonCursor } from '../../formats/jsonCursor';
import type { UnreadableObjects } from '../../formats/masksSummary';
import { readObjectMask } from '../../formats/objectMask';
import { MAX_MASK_PIXELS } from '../../formats/runLengthEncoding';
import { isText, textOf } from './byteText';
import type { ClassNames } from './classNames';
import type { Frame, ObjectColumns, ObjectFields } from './objectColumns';
import { RecordFields } from './recordFields';
import { noteUnreadable } from './unreadableObjects';

/** Size of the image whose objects are read. */
export interface FrameSize {
  width: number;
  height: number;
}

/** What was unusual about the objects of one image. */
export interface RecordNotes extends UnreadableObjects {
  /** Objects whose id is not their key, and whose class is not named. */
  idsOtherThanKeys: number;
  withoutClass: number;
}

/**
 * Reads object records (spec.md, "Object record") from their bytes into columns. A record as the service writes it goes
 * from bytes to runs directly; any other is parsed as JSON by itself, and if that is no object either, it is listed.
 */
export class ObjectRecords {
  readonly notes: RecordNotes = {
    unreadable: [],
    unreadableCount: 0,
    idsOtherThanKeys: 0,
    withoutClass: 0,
  };
  private readonly objectFrame: Frame = { left: 0, top: 0, width: 0, height: 0 };
  private readonly fields: ObjectFields = { id: 0, classIndex: 0, score: NaN };
  private readonly names: { bytes: Uint8Array; index: number }[] = [];
  private readonly found = new RecordFields();

  constructor(
    private readonly frame: FrameSize,
    private readonly classNames: ClassNames,
    readonly columns: ObjectColumns,
  ) {}

  /**
   * Reads the record the cursor stands at; tells whether it became an object. Throws NeedsMoreBytes (the cursor may stand
   * anywhere then) and NotJson.
   */
  read(cursor: JsonCursor, key: string | number): boolean {
    cursor.peek();
    const start = cursor.position;
    if (this.found.scan(cursor) && this.add(cursor.bytes, key)) return true;
    cursor.position = start;
    cursor.restartSkip();
    cursor.skip();
    return this.addParsed(JSON.parse(textOf(cursor.bytes, start, cursor.position)), String(key));
  }

  /** Adds the object that was scanned; false when it needs a closer look. */
  private add(bytes: Uint8Array, key: string | number): boolean {
    const { found, frame, objectFrame, fields } = this;
    const { numbers } = found;
    const height = numbers[4] ?? 0;
    const width = numbers[5] ?? 0;
    const id = numbers[6] ?? 0;
    if (found.countsStart < 0 || found.classStart < 0 || Number.isNaN(id)) return false;
    if (!(height > 0 && width > 0 && height * width <= MAX_MASK_PIXELS)) return false;
    let left = 0;
    let top = 0;
    if (height !== frame.height || width !== frame.width) {
      left = numbers[0] ?? 0;
      top = numbers[1] ?? 0;
      const right = left + width;
      const bottom = top + height;
      if (numbers[2] !== right || numbers[3] !== bottom) return false;
      if (left < 0 || top < 0 || right > frame.width || bottom > frame.height) return false;
    }
    objectFrame.left = left;
    objectFrame.top = top;
    objectFrame.width = width;
    objectFrame.height = height;
    fields.id = id;
    fields.classIndex = this.classIndex(bytes);
    fields.score = found.score;
    if (!this.columns.addText(bytes, found.countsStart, found.countsEnd, objectFrame, fields)) return false;
    if (id !== key && String(id) !== String(key)) this.notes.idsOtherThanKeys++;
    if (found.classStart === found.classEnd) this.notes.withoutClass++;
    return true;
  }

  /** The index of the class scanned; few have different names, and most objects the class of one before. */
  private classIndex(bytes: Uint8Array): number {
    const { classStart, classEnd } = this.found;
    const length = classEnd - classStart;
    for (let at = 0; at < this.names.length; at++) {
      const known = this.names[at];
      if (known?.bytes.length === length && isText(bytes, classStart, known.bytes)) return known.index;
    }
    const name = bytes.slice(classStart, classEnd);
    const index = this.classNames.indexOf(textOf(name, 0, length));
    if (this.names.length < 64) this.names.push({ bytes: name, index });
    return index;
  }

  private addParsed(record: unknown, key: string): boolean {
    try {
      const mask = readObjectMask(record, this.frame.width, this.frame.height);
      const fields = record as Record<string, unknown>;
      const id = typeof fields['id'] === 'number' ? fields['id'] : Number(key);
      const className = typeof fields['pred_class'] === 'string' ? fields['pred_class'] : '';
      const score = fields['model_score'];
      const classIndex = this.classNames.indexOf(className);
      this.columns.addMask(mask, { id, classIndex, score: typeof score === 'number' ? score : NaN });
      if (String(id) !== key) this.notes.idsOtherThanKeys++;
      if (className === '') this.notes.withoutClass++;
      return true;
    } catch (error) {
      if (!isCoded(error, 'damaged-archive')) throw error;
      noteUnreadable(this.notes, key, error.details.reason ?? error.message);
      return false;
    }
  }
}
