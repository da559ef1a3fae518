/** What the server tells the pages: the JSON of `service/view.py` and of the interface, as far as a script reads it. */

export interface Limits {
  least: string | null;
  most: string | null;
  chip: string;
  decks: number;
  boxes_per_player: number;
  players_per_box: number;
}

export interface You {
  name: string;
  role: string;
  boxes: number[];
  /** The chips in front of you; nothing if you are not at the table. */
  chips: string | null;
  standing: boolean;
  barred: boolean;
}

export interface Wager {
  player: string;
  wager: string;
  amount: string;
}

export interface SpokenWager extends Wager {
  box: number;
  confirmed: string[];
}

export interface SideWager extends Wager {
  settled?: boolean;
}

export interface Coupon extends Wager {
  number: string;
}

export interface Result {
  player: string;
  wager: string;
  outcome: string;
  net: string;
}

export interface Hand {
  cards: string[];
  sideways: string[];
  total: number;
  soft: boolean;
  blackjack: boolean;
  bust: boolean;
  /** Per player: `player`, and the amount of each wager by its name. */
  wagers: ({ player: string } & Record<string, string>)[];
  results: Result[];
}

export interface Box {
  box: number;
  players: string[];
  consent: { first: string; given: string[] } | null;
  placed: Wager[];
  coupons: Coupon[];
  sides: SideWager[];
  hands: Hand[];
  results: Result[];
}

export interface Dealer {
  cards: string[];
  range: string | null;
  showing: number | null;
  total: number | null;
  soft: boolean;
}

export interface Shoe {
  number: number;
  size: number;
  left: number;
  commitment: string;
}

/** What the procedure asks of a role, under which paragraph. */
export interface Step {
  do: string;
  role: string;
  cite: string;
  says: string;
  about: string;
}

export interface Decision {
  action: string;
  key: string;
  allowed: boolean;
  box?: number;
  least?: string;
  most?: string;
  why?: string;
  cite?: string;
}

/** What is asked now, of whom; `wheel` and `turns` only where a wheel is to be turned. */
export interface Offer {
  kind: string;
  cite: string;
  box: number | null;
  hand?: number | null;
  optional?: boolean;
  players?: string[];
  yours?: boolean;
  decisions?: Decision[];
  wheel?: string;
  turns?: string;
}

/** A field of a form at a console. */
export interface Field {
  name: string;
  type: 'str' | 'int' | 'bool';
  choices?: (string | number | boolean)[];
  value?: string | number | boolean;
  least?: number;
  most?: number;
  optional?: boolean;
  /** Begins empty, so that nobody answers by leaving it as it is. */
  unset?: boolean;
}

/** Something that a role may begin at any time; `name` is that of an irregularity. */
export interface Action {
  do: string;
  name: string;
  says: string;
  cite: string;
  fields: Field[];
}

export interface Request {
  do: string;
  says: string;
  cite: string;
}

/** A table as one person may see it. */
export interface View {
  version: number;
  phase: string;
  stopped: string;
  dealer_on_duty: string | null;
  round: number;
  wagers: string[];
  sizes: Record<string, string[]>;
  limits: Limits;
  players: Record<string, { boxes: number[]; chips: string }>;
  verbal: SpokenWager[];
  manners: { verbal: boolean; take_back: boolean; burn_card: boolean };
  boxes: Box[];
  dealer: Dealer;
  shoe: Shoe | null;
  rack: number;
  weights: Record<string, Record<string, number>>;
  meters: Record<string, string>;
  wheel_commitment: string;
  next: Step[];
  agenda?: { says: string; cite: string }[];
  cut: { offered: string; least: number; cards: number } | null;
  you: You;
  offer: Offer | null;
  requests: Request[];
  /** For staff: what may be begun, and the fields of what is due. */
  actions?: Action[];
  fields?: Record<string, Field[]>;
}

/** A line of a table's story. */
export interface Line {
  n: number;
  says: string;
  cite: string;
  kind: string;
}

export interface Push {
  view?: View;
  log?: Line[];
}

export interface Hints {
  decisions: Record<string, number>;
  best: string;
  basis: string;
}

export interface Frame {
  says: string;
  cite: string;
  view: View;
}

export interface Entry {
  cite: string;
  says: string;
  paragraph: string;
}

export interface Report {
  faults: { stream: string; version: number; what: string }[];
  counts: Record<string, number>;
}

/** What a function of a page is given to show a paragraph. */
export type Open = (cite: string) => unknown;

/** Arguments of a command. */
export type Args = Record<string, string | number | boolean | number[] | null>;

/** What a command answers. */
export interface Moved {
  version: number;
}

/** Attributes of an element, and what it does when something happens to it. */
export interface Attributes {
  onclick?: (event: MouseEvent) => unknown;
  onkeydown?: (event: KeyboardEvent) => unknown;
  onsubmit?: (event: SubmitEvent) => unknown;
  onchange?: (event: Event) => unknown;
  oninput?: (event: Event) => unknown;
  [name: string]: unknown;
}

/** What came of dealing a round again. */
export interface Dealt {
  identical: boolean | null;
  says: string;
  why: string;
}

/** A shoe that is over, with all that its check needs. */
export interface RevealedShoe {
  commitment: string;
  seed: string;
  cut: number;
  cards: string;
  dealt: string;
}

/** The wheels of a round that is over. */
export interface RevealedWheel {
  commitment: string;
  seed: string;
  spins: { wheel: string; boxes: number[]; symbol: string; hot_spot: number | null }[];
  weights: Record<string, Record<string, number>>;
}

/** A table in the list of tables, as far as a page reads it. */
export interface TableLine {
  table: string;
  phase: string;
  says: string;
  boxes: number;
  free: number[];
  players: string[];
  meters: Record<string, string>;
  house_edge: number | null;
}
