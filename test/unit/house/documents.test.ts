import * as assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { brokenLinks, linksOf } from './documents';

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

  it('begin with a README that leads to every page of the guide', () => {
    const readme = readFileSync('README.md', 'utf8');
    const targets = linksOf(readme).map(({ target }) => target);
    assert.deepEqual(
      forUsers.slice(1).filter(path => !targets.includes(path)),
      [],
    );
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
});
