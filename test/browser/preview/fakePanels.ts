import { fakeComparisonPanel, type FakeComparisonOptions } from './fakeComparisonPanel';
import { fakeMasksPanel, type FakeMasksOptions } from './fakeMasksPanel';
import { fakeTablePanel, type FakeTableOptions } from './fakeTablePanel';

/** What the preview's HTML calls to make the panel of its page. */
Object.assign(globalThis, {
  makePanel: {
    table: (options: FakeTableOptions, toPage: (message: unknown) => void) => fakeTablePanel(options, toPage),
    masks: (options: FakeMasksOptions, toPage: (message: unknown) => void) => fakeMasksPanel(options, toPage),
    comparison: (options: FakeComparisonOptions, toPage: (message: unknown) => void) =>
      fakeComparisonPanel(options, toPage),
  },
});
