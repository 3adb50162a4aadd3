"""The observer by automata-lib: determinisation of the view, then a look at every estimate.

Reads one view as JSON from standard input: {"states", "initial", "classes", "edges": [[source, label or null, target], ...]}.
Prints {"exposed_now": bool, "sets": n, "seconds": s, "peak_kib": k}: whether some estimate lies inside one class.
The argument is a limit in seconds of processor time.
"""

import json
import resource
import sys
import time

from automata.fa.dfa import DFA
from automata.fa.nfa import NFA

limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

view = json.load(sys.stdin)
states = {str(state) for state in range(view["states"])} | {"start"}
transitions = {state: {} for state in states}
labels = set()
for source, label, target in view["edges"]:
    symbol = "" if label is None else chr(0x100 + label)
    if symbol:
        labels.add(symbol)
    transitions[str(source)].setdefault(symbol, set()).add(str(target))
transitions["start"] = {"": {str(state) for state in view["initial"]}}

begun = time.process_time()
nfa = NFA(states=states, input_symbols=labels or {"a"}, transitions=transitions, initial_state="start", final_states=states)
dfa = DFA.from_nfa(nfa, retain_names=True, minify=False)
classes = view["classes"]
exposed = False
for estimate in dfa.states:
    seen = {classes[int(state)] for state in estimate if state != "start"}
    exposed = exposed or len(seen) == 1
seconds = time.process_time() - begun
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"exposed_now": exposed, "sets": len(dfa.states), "seconds": seconds, "peak_kib": peak}))
