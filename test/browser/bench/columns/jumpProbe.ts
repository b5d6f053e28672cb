/** What a jump did in the page. */
export interface JumpSeen {
  /** Milliseconds from the input to the last change of the rows. */
  filled: number;
  /**
   * Milliseconds from the input to the last change of the page: headers are completed after the
   * rows.
   */
  wall: number;
  /** Milliseconds of the longest task, where it is over 50. */
  longest: number;
  /** Cells and headers that were made. */
  cells: number;
  headers: number;
  /** Requests for rows, and the cells that came. */
  requests: number;
  fetched: number;
  /** Cells in view without a text. */
  empty: number;
}

export interface JumpProbe {
  begin(): void;
  end(): JumpSeen;
}

/** Installs `jumpProbe` in the page of a preview. */
export function installJumpProbe(): void {
  const none = {
    input: NaN,
    lastOfRows: 0,
    last: 0,
    longest: 0,
    cells: 0,
    headers: 0,
    requests: 0,
    fetched: 0,
  };
  const seen = { ...none };
  const target = globalThis as unknown as {
    jumpProbe: JumpProbe;
    callEngine: (method: string, params: string) => Promise<string>;
  };
  const inputOf = (event: Event) => {
    if (Number.isNaN(seen.input)) seen.input = event.timeStamp;
  };
  for (const name of ['keydown', 'wheel', 'mousedown', 'beforeinput'])
    addEventListener(name, inputOf, { capture: true, passive: true });
  new MutationObserver(records => {
    seen.last = performance.now();
    for (const { target, addedNodes } of records) {
      const changed = target instanceof Element ? target : target.parentElement;
      if (changed?.closest('.ag-row')) seen.lastOfRows = seen.last;
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches('.ag-row')) seen.lastOfRows = seen.last;
        const count = (name: string) =>
          Number(node.classList.contains(name)) + node.getElementsByClassName(name).length;
        seen.cells += count('ag-cell');
        seen.headers += count('ag-header-cell');
      }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  }).observe({ type: 'longtask' });
  const { callEngine } = target;
  target.callEngine = async (method, params) => {
    const response = await callEngine(method, params);
    if (method === 'tableRows') {
      const { value } = JSON.parse(response) as { value?: { rows: string[][] } };
      seen.requests++;
      for (const row of value?.rows ?? []) seen.fetched += row.length;
    }
    return response;
  };
  target.jumpProbe = {
    begin: () => void Object.assign(seen, none),
    end: () => {
      const { input, lastOfRows, last, ...counted } = seen;
      const since = (time: number) => (time > 0 ? time - input : 0);
      const cells = [...document.querySelectorAll<HTMLElement>('.table-grid .ag-cell')];
      // The row with the focus is drawn even where it is out of view.
      const isInView = (cell: HTMLElement) => {
        const { top, bottom } = cell.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      };
      const empty = cells.filter(cell => cell.textContent === '' && isInView(cell)).length;
      return { ...counted, filled: since(lastOfRows), wall: since(last), empty };
    },
  };
}
