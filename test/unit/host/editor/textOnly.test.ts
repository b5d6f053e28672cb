import * as assert from 'node:assert/strict';
import { textOnly } from '../../../../src/host/editor/textOnly';

class Box {
  #title = '';
  accepted = 0;
  get title(): string {
    return this.#title;
  }
  set title(text: string) {
    this.#title = text;
  }
  value = '';
  accept(): void {
    this.accepted += 1;
    this.#title += '!';
  }
}

describe('A box for text only', () => {
  it('makes the named texts fit to be shown and leaves the others as they are', () => {
    const real = new Box();
    const box = textOnly(real, { title: text => text.toUpperCase() });
    Object.assign(box, { title: 'plate', value: 'plate' });
    assert.equal(real.title, 'PLATE');
    assert.equal(box.title, 'PLATE');
    assert.equal(real.value, 'plate');
  });

  it('calls methods on the box itself, private fields and all', () => {
    const box = textOnly(new Box(), {});
    const { accept } = box;
    accept();
    box.accept();
    assert.equal(box.accepted, 2);
    assert.equal(box.title, '!!');
  });
});
