import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { linesOf, narrowestLines } from '../../../../../../src/table/page/grid/gridColumns';

const measure = (text: string) => text.length;

describe('the lines of a name', () => {
  it('break where they are narrowest', () => {
    equal(narrowestLines('Feret Diameter Maximum', 1, measure), 22);
    equal(narrowestLines('Feret Diameter Maximum', 2, measure), 'Feret Diameter'.length);
    equal(narrowestLines('Feret Diameter Maximum', 3, measure), 'Diameter'.length);
    equal(narrowestLines('Area', 3, measure), 4);
    equal(narrowestLines('', 3, measure), 0);
  });

  it('are as many as the words need', () => {
    equal(linesOf('Feret Diameter Maximum', 14, measure), 2);
    equal(linesOf('Feret Diameter Maximum', 13, measure), 3);
    equal(linesOf('Circumference', 5, measure), 1);
  });

  it('are no more than allowed at the width where they are narrowest', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        (words, lines) => {
          const name = words.join(' ');
          const width = narrowestLines(name, lines, measure);
          ok(linesOf(name, width, measure) <= lines);
          // A pixel less is too little, unless a word alone takes all of it.
          ok(width === Math.max(...words.map(measure)) || linesOf(name, width - 1, measure) > lines);
        },
      ),
    );
  });
});
