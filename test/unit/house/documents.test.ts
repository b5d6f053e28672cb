import * as assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { brokenLinks, linksOf, paragraphsOf } from './documents';

const glob = (...patterns: string[]) =>
  globSync(patterns, { exclude: path => path.endsWith('node_modules') })
    .map(path => path.replaceAll('\\', '/'))
    .sort();

/** What a user reads. */
const forUsers = ['README.md', ...glob('docs/guide/*.md')];
const pictures = glob('docs/guide/**/*.{png,webp,gif,svg}');
const documents = glob('*.md', '{docs,test,.github}/**/*.md');

describe('The documents', () => {
  it('have no link and no picture that leads nowhere', () => {
    assert.ok(documents.length > 30);
    assert.deepEqual(
      documents.flatMap(path => brokenLinks(path)),
      [],
    );
  });

  it('show every picture that is kept for them', () => {
    const shown = forUsers.flatMap(path => {
      const folder = path.includes('/') ? path.replace(/[^/]*$/, '') : '';
      return linksOf(readFileSync(path, 'utf8')).map(({ target }) => `${folder}${target}`);
    });
    assert.ok(pictures.length > 0);
    assert.deepEqual(
      pictures.filter(path => !shown.includes(path)),
      [],
    );
  });

  it('have pictures that load at once, one of them moving', () => {
    const sizes = new Map(pictures.map(path => [path, statSync(path).size]));
    const moving = pictures.filter(path => readFileSync(path).includes('ANIM'));
    assert.deepEqual(moving, ['docs/guide/screenshots/image-to-filter.webp']);
    const readme = linksOf(readFileSync('README.md', 'utf8')).filter(({ isPicture }) => isPicture);
    assert.deepEqual(
      readme.map(({ target }) => target),
      moving,
    );
    assert.deepEqual(
      [...sizes].filter(([path, bytes]) => bytes > (moving.includes(path) ? 1_500_000 : 150_000)),
      [],
    );
  });

  it('tell the architecture in ten minutes', () => {
    const words = readFileSync('docs/architecture.md', 'utf8').split(/\s+/);
    assert.ok(words.length < 2200, `${words.length} words`);
  });

  it('begin with a README of at most 130 lines, which leads to every page of the guide', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.ok(readme.trimEnd().split('\n').length <= 130);
    const targets = linksOf(readme).map(({ target }) => target);
    assert.deepEqual(
      forUsers.slice(1).filter(path => !targets.includes(path)),
      [],
    );
  });

  it('have paragraphs and list items of at most five lines, of at most 120 characters each', () => {
    // A line of the changelog is a change, whatever its length.
    const long = documents.flatMap(path =>
      paragraphsOf(readFileSync(path, 'utf8'))
        .filter(() => path !== 'CHANGELOG.md')
        .filter(({ lines }) => lines.length > 5 || lines.some(line => line.length > 120))
        .map(({ line }) => `${path}:${line}`),
    );
    assert.deepEqual(long, []);
  });
});

describe('The check of documents', () => {
  it('finds links and pictures that lead nowhere, and pictures without a text', () => {
    const broken = (text: string) => brokenLinks('docs/guide/tables.md', text);
    assert.deepEqual(broken('[a](../../LICENSE), [b](https://example.org) and\n[c](nowhere.txt)'), [
      'docs/guide/tables.md:2 nowhere.txt',
    ]);
    assert.deepEqual(broken('[![a picture](no.png)](../../LICENSE)'), ['docs/guide/tables.md:1 no.png']);
    assert.deepEqual(broken('![](../../media/icon.png)'), [
      'docs/guide/tables.md:1 no text for ../../media/icon.png',
    ]);
    assert.deepEqual(broken('<img src="no.webp" alt="masks">'), ['docs/guide/tables.md:1 no.webp']);
    assert.deepEqual(broken('[none]() and [http](http://example.org)'), [
      'docs/guide/tables.md:1 ',
      'docs/guide/tables.md:1 http://example.org',
    ]);
    assert.deepEqual(broken('`[code](no.txt)`\n```\n[code](no.txt)\n```\n'), []);
  });

  it('knows the anchors of headings', () => {
    const broken = (anchor: string) =>
      brokenLinks(
        'docs/guide/tables.md',
        `# Areas in µm², "quoted"\n\n## Twice\n\n## Twice\n\n[a](#${anchor})`,
      );
    for (const anchor of ['areas-in-µm-quoted', 'twice', 'twice-1'])
      assert.equal(broken(anchor).length, 0, anchor);
    assert.deepEqual(broken('thrice'), ['docs/guide/tables.md:7 #thrice']);
    assert.equal(brokenLinks('docs/service.md', '[b](architecture.md#the-house)').length, 0);
    assert.equal(brokenLinks('docs/service.md', '[b](architecture.md#no-such-heading)').length, 1);
  });

  it('counts the lines of paragraphs and of list items', () => {
    const counts = (text: string) => paragraphsOf(text).map(({ line, lines }) => [line, lines.length]);
    assert.deepEqual(
      counts(
        '# Title\n\none\ntwo\n\n- a\n  b\n- c\n\n| x |\n| - |\n\n  | in an item |\n\n```\ncode\n```\n1. d\n',
      ),
      [
        [3, 2],
        [6, 2],
        [8, 1],
        [18, 1],
      ],
    );
  });
});
