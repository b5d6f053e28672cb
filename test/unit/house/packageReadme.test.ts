import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { anchorsOf, packageReadme, readmeOfPackage } from '../../../scripts/packageReadme.mjs';
import { brokenLinks, linksOf } from './documents';

describe('The README of the package', () => {
  it('has no image and no link that leads nowhere in VS Code', async () => {
    const readme = await readmeOfPackage();
    const links = linksOf(readme);
    assert.deepEqual(
      links.filter(({ isPicture, target }) => isPicture || !/^(?:https:|#)/.test(target)),
      [],
    );
    assert.deepEqual(brokenLinks('README.md', readme), []);
  });

  it('has the whole guide, each page linked, and nothing about the repository', async () => {
    const readme = await readmeOfPackage();
    const targets = linksOf(readme).map(({ target }) => target);
    for (const path of globSync('docs/guide/*.md')) {
      const [title = ''] = anchorsOf(readFileSync(path, 'utf8'));
      assert.ok(targets.includes(`#${title}`), path);
    }
    assert.doesNotMatch(readme, /npm start|CONTRIBUTING/);
  });

  const sections =
    '\n## Try it from this repository\n\nnpm start\n\n## Guide\n\n[A](docs/service.md)\n\n## For developers\n\nmore\n';
  const make = (guide: string, readme = `# R\n\nIntro.\n${sections}`) =>
    packageReadme(readme, [{ path: 'docs/service.md', text: guide }]);

  it('leaves out sections about the repository, and images', () => {
    assert.equal(
      make('# A\n\n![a](a.webp)\n\nText.\n'),
      '# R\n\nIntro.\n\n## Guide\n\n[A](#a)\n\n## A\n\nText.\n',
    );
  });

  it('makes links between pages lead to headings, and others text', () => {
    const made = make(
      '# A\n\n## B c\n\n[R](../README.md), [b](#b-c), [l](../LICENSE), [w](https://example.org)\n',
    );
    assert.match(made, /\[R\]\(#r\), \[b\]\(#b-c\), l, \[w\]\(https:\/\/example\.org\)\n/);
  });

  it('fails where a link would lead to another heading of the same name, or a section is gone', () => {
    assert.throws(() => make('# A\n\n## Guide\n\n[g](#guide)\n'), /would lead to a heading in README/);
    assert.throws(() => make('# A\n', '# R\n\n## For developers\n'), /no section "Try it/);
  });
});
