/** What the server tells the pages: the JSON of `service/view.py` and of the interface, as far as a script reads it. */

export interface Limits {
  least: string | null;
  most: string | null;
  chip: string;
  decks: number;
  boxes_per_player: number;
  players_per_box: number;
  /** Whether the boxes of one player lie side by side. */
  adjacent: boolean;
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
  /** The second chance card, which lies last and is subtracted. */
  subtracted?: string | null;
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
  blackjack: boolean;
  bust: boolean;
}

export interface Shoe {
  number: number;
  size: number;
  left: number;
  /** The colour of the cards' backs. */
  backs: string;
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
  /** Of a decision that is allowed: its name, its price for the button, and what it costs and leads to as a sentence. */
  name?: string;
  short?: string;
  says?: string;
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
  /** Whether there is a hint for you. */
  hint?: boolean;
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
  exposed_cite?: string;
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
  players: Record<string, { boxes: number[]; chips: string; device: boolean }>;
  verbal: SpokenWager[];
  manners: { verbal: boolean; take_back: boolean; burn_card: boolean };
  boxes: Box[];
  dealer: Dealer;
  shoe: Shoe | null;
  rack: number;
  weights: Record<string, Record<string, number>>;
  meters: Record<string, string>;
  /** The meters to which no wager adds. */
  fixed_meters: string[];
  wheel_commitment: string;
  next: Step[];
  agenda?: { says: string; cite: string }[];
  cut: { offered: string; least: number; cards: number } | null;
  you: You;
  offer: Offer | null;
  requests: Request[];
  /** What the person who looks is told now, sentence by sentence. */
  saying?: Said[];
  /** A card drawn in error whose face is exposed. */
  exposed?: string | null;
  /** Your last round here, until you lay your next wager. */
  last?: Last | null;
  /** The clocks that run, the pace of the automatic staff, and the paces that you may set; not in a replay. */
  clocks?: Clock[];
  pace?: string;
  paces?: string[];
  /** Why no new wagers are taken here. */
  notice?: string;
  /** For staff: what may be begun, and the fields of what is due. */
  actions?: Action[];
  fields?: Record<string, Field[]>;
  /** For the dealer on duty. */
  guests?: Guest[];
  payments?: Payment[];
  ranks?: string[];
  /** Where people enter the cards, for whoever may correct them: the last entry first. */
  entries?: EnteredWord[];
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
  /** Who gave the command, in which role, and when; not in a round that was dealt for a review. */
  by?: string;
  at?: number;
  view: View;
}

/** A frame of the analysis board: what an event moves on the layout. */
export interface ToldFrame extends Pick<View, 'boxes' | 'dealer' | 'exposed'> {
  event: number;
  says: string;
  cite: string;
}

/** What a card did, or what was decided. */
export interface ReviewStep {
  luck_of?: string;
  dollars?: number;
  best?: string;
  cost_dollars?: number;
}

/** A round with another choice, played on from there. */
export interface OtherEnd {
  event: number;
  box: number;
  hand: number;
  choice: string;
  at: number[];
  steps: ReviewStep[];
  net: string | null;
  frames: ToldFrame[];
}

/** A player's round, reviewed. */
export interface BoardAnswer {
  player: string;
  players: { player: string; deal: number; steps: ReviewStep[] }[];
  at: number[];
  view: View;
  frames: ToldFrame[];
  what_ifs: OtherEnd[];
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
  /** Set where nothing was done yet: it waits for a second person. */
  what?: string;
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

/** What closing a table sends away, or why it cannot be closed now. */
export interface Closing {
  players: Record<string, string>;
  sum: string;
  inventory: string;
  why: string;
  cite: string;
  /** Who ordered it closed after its round; empty: nobody. */
  ordered: string;
  /** Whether it is closed. */
  closed: boolean;
}

/** Something a person is to know, under its paragraph. */
export interface Noted {
  says: string;
  cite: string | null;
}

/** A step of the floor's: what is known of it, and the fields to fill in. */
export interface PitStep {
  do: string;
  says: string;
  cite: string;
  about: string;
  args: Record<string, string | number>;
  fields: Field[];
}

export interface PitWaits {
  role: string;
  whom: string[];
  says: string;
  cite: string;
}

/** A table on the pit board; drop and win are those of its gaming day, once they are counted. */
export interface PitRow {
  table: string;
  version: number;
  title: string;
  source: string;
  phase: string;
  round: number;
  automatic: boolean;
  dealer: string | null;
  players: string[];
  waiting: string;
  waits: PitWaits | null;
  since: number;
  urgency: number;
  alarms: Noted[];
  irregularities: Noted[];
  overdue: Noted[];
  inventory: string | null;
  drop: string | null;
  win: string | null;
  mishaps: number | null;
  meters: Record<string, string>;
  asked: PitStep[];
}

export interface Pit {
  now: number;
  alarms: Noted[];
  rows: PitRow[];
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
  can_sit: boolean;
}

/** What somebody had in a round that is over: his own hands and results, and the dealer's hand. */
export interface Last {
  round: number;
  net: string;
  /** The paragraph that paid or took most. */
  cite: string;
  dealer: Dealer;
  boxes: LastBox[];
}

export interface LastBox {
  box: number;
  hands: Hand[];
  results: Result[];
}

/** A sentence to the person who looks, and its paragraph. */
export interface Said {
  text: string;
  cite: string;
  /** Whether it is one of several parts of a result. */
  part: boolean;
}

/** What the decisions of the last round were worth. */
export interface Review {
  round: number;
  text: string;
}

/** Time that runs out at a table: for a `decision`, the `cut`, a `look` at the cards, more `wagers`, a box that nobody plays (`absence`). */
export interface Clock {
  what: string;
  players: string[];
  box: number | null;
  /** The whole time, and what was left of it when this was sent. */
  seconds: number;
  left: number;
}

/** A command as it is sent, and again until it is answered. */
export interface Sent {
  do: string;
  args: Args;
  key: string;
  /** The version that it was made for; none: it means the same at any. */
  version: number | null;
  /** The guest without a device for whom the dealer enters it. */
  player?: string;
}

/** A guest without a device, as his own page would show him to himself. */
export interface Guest {
  name: string;
  boxes: number[];
  chips: string;
  barred: boolean;
  offer: Offer | null;
  requests: Request[];
  /** Whether the cut is offered to him. */
  cut: boolean;
}

/** A wager that was settled, in the order of the text. */
export interface Payment extends Result {
  box: number | null;
  hand: number | null;
  amount: string;
  cite: string;
}

/** Something that was entered and can be corrected: a card, or what the reader told. */
export interface EnteredWord {
  word: string;
  box: number | null;
  number: number;
  last: boolean;
  /** What the reader may have told, or the wheel have done, instead; empty for a card. */
  instead: string[];
}

/** How far a computation beside the tables is. */
export interface Computation {
  id: string;
  kind: string;
  state: string;
  share: number;
  ahead: number;
  told: {
    house_edge?: number;
    rounds?: number;
    rate?: number;
    seconds_left?: number;
    /** Lines of a picture by name, as points. */
    drawn?: Record<string, string>;
  };
  why: string;
  cite: string;
  changes: number;
  yours: boolean;
}

/** A paragraph of a reader's own copy, and ours beside it. */
export interface BesideRow {
  paragraph: string;
  cite: string;
  title: string;
  kind: string;
  line: number;
  text: string;
  digest: string;
  words: string;
  notes: { kind: string; text: string }[];
  clause: string;
  elsewhere: string[];
  functions: string[];
  scripts: string[];
  readings: Record<string, string[]>;
}

/** What a signed line says; `changed` is what is no longer as the reviewer saw it. */
export interface ReviewSaid {
  rulebook: string;
  paragraph: string;
  verdict: string;
  comment: string;
  by: string;
  at: number;
  public: string;
  /** The digest of the text that he saw. */
  text: string;
  changed: string[];
}
