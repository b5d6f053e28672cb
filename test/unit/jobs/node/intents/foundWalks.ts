/** Walks that failed once under other seeds: what happened, and a place number (`Walk.happen`). */
export const FOUND_WALKS: readonly { of: string; walk: string }[] = [
  {
    of: 'Esc while the end of a submit is stored, on a disk that is full by then',
    walk: `
      submit 249, step 0, step 0, submit 467, step 22, step 246, step 0, step 0, step 134, step 0, step
      295, step 671, step 356, step 0, step 0, escape 0, step 9, accept 0, submit 0, step 10, mend the
      disk 0, step 4, settle 0, step 250, step 10, step 22, submit 0, leave the network 0, step 838, step
      0, step 0, step 788, step 0, fill the disk 0, step 0, step 0, step 0, submit 0, step 0, step 0,
      submit 0, hide new jobs 0, step 0, lose responses 0, step 0, step 0, accept 0, lose nothing 0, step
      0, step 0, request masks 0, step 0, submit 214
    `,
  },
  {
    of: 'a window hangs while its request is about to leave, and Esc is pressed in it',
    walk: `
      submit 0, open a window 0, open a window 0, step 0, step 0, step 0, step 94, step 0, kill a window
      22, step 0, submit 951, step 0, step 0, step 105, stop a window 0, let time pass 0, step 0, step 0,
      step 0, step 0, step 0, lose nothing 0, submit 0, step 0, submit 0, lose nothing 0, step 0, step 0,
      step 0, step 0, resume a window 127, list new jobs 0, step 0, escape 0, step 0, mend the disk 0,
      step 0, set the clock ahead 0, mend the disk 0, step 0, submit 0, step 0, step 0, step 0, settle 0,
      step 0, open a window 0, submit 0, mend the disk 0, step 0, enter the network 0, submit 0, step 0,
      step 0, fail to read 0, step 0
    `,
  },
  {
    of: 'the clock is set back a day while a window deletes what is old, and Esc is pressed',
    walk: `
      submit 0, request masks 0, step 0, step 0, step 0, step 0, kill a window 0, step 0, open a window 0,
      step 0, submit 478, step 0, step 0, step 0, step 0, step 0, step 0, step 3, step 0, step 93, step 9,
      set the clock back 54, step 163, step 21, step 189, open a window 0, mend the disk 0, submit 0,
      submit 0, step 296, step 281, escape 0, mend the disk 0, mend the disk 0, escape 949, step 580, step
      0, lose requests 0, step 0, step 103, step 32, settle 0, step 0, step 0, submit 0, submit 0, step 0,
      step 0, step 0, step 0, step 0, step 0, step 0, set the clock ahead 0, step 0, step 0, submit 0,
      step 0, escape 0, step 0, step 0, submit 0, step 0, submit 0, step 0
    `,
  },
  {
    of: 'a window closes after it picked up a submit, before it asked about it',
    walk: `
      open a window 0, submit 654, fail to read 0, open a window 0, submit 672, step 0, step 456, step 0,
      step 0, step 0, step 0, step 0, step 0, step 171, kill a window 28, step 0, step 0, step 0, stop a
      window 201, step 0, kill a window 0, step 0, refuse 0, submit 0, let time pass 0, step 0, fail to
      read 0, step 0, step 0, step 0, submit 0, mend the disk 0, step 0, step 0, submit 0, step 0, step 0,
      step 0, step 0, mend the disk 0, step 0, escape 0, open a window 0, leave the network 0, open a
      window 0, step 0, step 67, step 0, enter the network 0, step 0, stop a window 0, mend the disk 0,
      step 0, step 0, submit 5, submit 0, step 0, step 0, step 0, step 0, resume a window 0
    `,
  },
  {
    of: 'the same is submitted once more while the end of an abandoned submit is stored',
    walk: `
      submit 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0,
      escape 0, step 0, open a window 0, submit 515, lose responses 0, step 260, enter the network 0,
      submit 0, step 452, step 111, enter the network 0, step 166, step 6, step 0, step 0, step 0, step 0,
      step 0, submit 0, fail to read 0, submit 0, fill the disk 0, enter the network 0, step 0, request
      masks 0, step 0, mend the disk 0, step 0, submit 0, step 0, resume a window 0, accept 0, step 0,
      step 0, step 0, submit 0, step 0, step 0, submit 0, settle 0, step 0, step 0
    `,
  },
  {
    of: 'Esc while the end of a submit is stored, and another window submits the same',
    walk: `
      submit 409, step 0, open a window 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0, step 0,
      step 0, step 0, open a window 0, escape 0, step 0, fill the disk 0, step 0, step 0, mend the disk 0,
      accept 0, step 0, mend the disk 0, step 0, step 0, lose nothing 0, step 0, settle 0, step 0, step 0,
      step 0, step 0, submit 0, kill a window 4, step 0, step 0, lose responses 0, step 0, lose nothing 0,
      step 0, step 0, enter the network 0, step 0, let time pass 0, step 0, step 0, enter the network 0,
      step 0, submit 709, step 0, submit 0, step 0, settle 0, step 0, step 0, step 0, lose nothing 0, step
      0, enter the network 0
    `,
  },
  {
    of: 'after signing out, a late job passes for that of a lost request',
    walk: `
      submit 0, hide new jobs 0, step 0, step 0, step 0, step 0, request masks 0, set the clock ahead 0,
      submit 0, mend the disk 0, step 0, step 0, step 0, submit 0, step 0, step 0, step 0, step 0, step
      93, enter the network 0, sign out 0, request masks 0, step 0, lose requests 0, submit 0, step 0, let
      time pass 0, step 0, step 0, step 0, step 0, step 0, step 0, open a window 0, step 0, step 0, step
      0, step 0, step 0, lose nothing 0, submit 0, step 0, step 0, set the clock ahead 0
    `,
  },
];
