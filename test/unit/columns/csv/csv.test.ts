import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../src/base/errors';
import { CsvCursor, findDialect } from '../../../../src/columns/csv/csvHead';
import { cellContent } from '../../../../src/columns/csv/csvGrammar';
import { cellNumber, missingKind } from '../../../../src/columns/csv/csvNumber';

const utf8 = (text: string) => new TextEncoder().encode(text);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decode = (bytes: Uint8Array) => decoder.decode(bytes);

function cells(text: string, delimiter = ',', start = 0): string[][] {
  const bytes = utf8(text);
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), start);
  const rows: string[][] = [];
  let row: string[] = [];
  while (cursor.next()) {
    row.push(decode(cellContent(bytes, cursor.cellStart, cursor.cellEnd)));
    if (!cursor.endsRow) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Whether an error is about a quote that is opened on a line and never closed. */
function isUnclosedQuote(error: unknown, line: number): boolean {
  if (!isCoded(error, 'damaged-table')) return false;
  assert.deepEqual(error.details.reason, {
    message: 'The quote opened on line {0} is never closed',
    args: [line],
  });
  return true;
}

const number = (text: string, mark: '.' | ',' = '.') => cellNumber(utf8(text), 0, utf8(text).length, mark);

describe('cells of a delimited text', () => {
  const cases: [name: string, text: string, rows: string[][]][] = [
    [
      'plain rows',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'an empty last cell at the end of the file',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'CR alone',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['line breaks mixed', 'a\r\nb\nc\rd', [['a'], ['b'], ['c'], ['d']]],
    ['a delimiter inside quotes', '"a,b",c', [['a,b', 'c']]],
    ['doubled quotes', '"a ""b"" c",""""', [['a "b" c', '"']]],
    [
      'line breaks inside quotes',
      '"a\nb","c\r\nd"\ne,f',
      [
        ['a\nb', 'c\r\nd'],
        ['e', 'f'],
      ],
    ],
    ['empty quotes', '"",""', [['', '']]],
    ['a quote in the middle of a cell', '5" pipe,a"b"c', [['5" pipe', 'a"b"c']]],
    ['text after a closing quote', '"a"b,c', [['ab', 'c']]],
    ['blank lines', 'a\n\nb', [['a'], [''], ['b']]],
    [
      'letters beyond ASCII',
      'Größe µm²,図\n😀,é',
      [
        ['Größe µm²', '図'],
        ['😀', 'é'],
      ],
    ],
  ];
  for (const [name, text, rows] of cases) {
    it(`reads ${name}`, () => assert.deepEqual(cells(text), rows));
  }

  it('names the line on which a quote begins that is never closed', () => {
    assert.throws(
      () => cells('a,b\r\n"x\ny",2\n3,"open\n4,5\n'),
      error => isUnclosedQuote(error, 4),
    );
  });

  it('reads back whatever was written with quotes', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', ';', '1') });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain(width =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), (rows, lineBreak) => {
        const text = rows
          .map(row => row.map(value => `"${value.replaceAll('"', '""')}"`).join(','))
          .join(lineBreak);
        assert.deepEqual(cells(text), rows);
      }),
    );
  });
});

describe('the delimiter of a table', () => {
  const cases: [name: string, text: string, delimiter: string][] = [
    ['commas', 'a,b,c\n1,2,3\n', ','],
    ['semicolons, commas being decimal marks', 'a;b;c\n1,5;2,5;3,5\n1,5;2,5;3,5\n', ';'],
    ['tabs, with commas in the text', 'name\tnote\nx\ta, b\ny\tc\n', '\t'],
    ['bars', 'a|b\n1|2\n', '|'],
    ['commas inside quotes', '"a,b";"c,d,e"\n"1,2";"3,4,5"\n', ';'],
    ['one column', 'a\n1\n2\n', ','],
    ['nothing at all', '', ','],
  ];
  for (const [name, text, delimiter] of cases) {
    it(`is found among ${name}`, () => assert.equal(findDialect(utf8(text)).delimiter, delimiter));
  }

  it('is read from a first line that declares it, after a byte order mark', () => {
    assert.deepEqual(findDialect(utf8('\ufeffsep=|\r\na|b,c\n')), { delimiter: '|', start: 10 });
  });

  it('is found in a file longer than the part that is examined', () => {
    const text = 'id;text\n' + `1;"${'x'.repeat(400)}"\n`.repeat(2000);
    assert.equal(findDialect(utf8(text)).delimiter, ';');
  });
});

describe('numbers in cells', () => {
  it('are rounded as JavaScript rounds them', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), value => {
        assert.equal(number(String(value)), Number(String(value)));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 25n }),
        fc.integer({ min: -40, max: 40 }),
        (digits, exponent) => {
          const text = `${digits}e${exponent}`;
          assert.equal(number(text), Number(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('may have a sign, a bare mark, an exponent, spaces and quotes', () => {
    for (const [text, value] of [
      ['+5', 5],
      ['-0.25', -0.25],
      ['.5', 0.5],
      ['5.', 5],
      ['1E-3', 0.001],
      ['  7 ', 7],
      ['"12"', 12],
      ['" 12.0 "', 12],
      ['000123', 123],
      ['inf', Infinity],
      ['-Infinity', -Infinity],
      ['12345678901234567890', 12345678901234567168],
    ] as const)
      assert.equal(number(text), value, text);
  });

  it('are not found in dates, versions, identifiers and words', () => {
    for (const text of [
      '',
      '-',
      '.',
      'e5',
      '5e',
      '5e+',
      '1.2.3',
      '2024-01-02',
      '1,234',
      '0x10',
      '5"',
      'nan',
      '1 2',
      'info',
    ])
      assert.ok(Number.isNaN(number(text)), text);
  });

  it('have no more than 4,096 bytes, spaces not counted', () => {
    assert.equal(number(`${' '.repeat(5000)}0.${'3'.repeat(4094)}`), 1 / 3);
    assert.equal(number(`0.${'3'.repeat(4095)}`), NaN);
  });

  it('may have a decimal comma', () => {
    assert.equal(number('1,5', ','), 1.5);
    assert.equal(number('-12345678901234567,25', ','), -12345678901234568);
    assert.ok(Number.isNaN(number('1.5', ',')));
  });

  it('may be missing in distinct ways', () => {
    for (const [text, kind] of [
      ['', 'empty'],
      ['  ', 'empty'],
      ['""', 'empty'],
      ['NaN', 'NaN'],
      ['NA', 'NA'],
      ['null', 'null'],
      ['n/a', 'other'],
      ['None', 'other'],
      ['-', 'other'],
      ['nano', undefined],
      ['0', undefined],
    ] as const)
      assert.equal(missingKind(utf8(text), 0, text.length), kind, text);
  });
});
