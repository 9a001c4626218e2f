"""The main job: a workload and requirements in, ranked designs out.

requirement         what is required, given or derived from the workload
space               the designs worth a thought: drives × levels × counts
data_loss           the chance that a design loses data, in closed form
bound               cheap bounds that rule designs out before anything is simulated
busy_time           the least time that drives are busy with a load of counters
headroom            the largest multiple of a load that holds, in few runs
latencies           quantiles, each with its interval
trial               one design simulated: latency at the peak, headroom, wear
risk                the same, simulated
verdict             life, risk, power and cost of a trial, and whether it meets the requirements
end_of_service      reads at the end of the service
candidate           a design of the search with what became of it, and the options
trial_pool          designs tried and refined, by threads or other machines
best_first          the search: cheapest first, until nothing left can be shown
flip                whether the winner changes with what nobody measured
renting             what to rent: of each kind of cloud volume the smallest that does
credit              burst credits over the whole log
rented_trial        one rented design simulated
array_state         the states of an array, what they cost, and the order that follows
rented_result       a rented design as the document has it
search_steps        every design of the space ruled out or tried, by many threads, in a fixed order
volume_split        what goes to each of several volumes: the load, parted
volume_share        what one of them gets, and what is required of it
multi_volume        several volumes, each judged under its part of the load, then added up
cache_space         flash caches before disks that are worth a thought, and bounds that rule them out
cached_trial        one of them, played and judged side by side
block_reuse         what a log says of caches: how its blocks are met again, and what cached designs play of it
cached_sensitivity  what their cost and life are sensitive to
cached              those of a plan: which are tried, and the document
cached_flip         whether a winner with a cache changes with what nobody measured
rent_offer          rented designs for the ranking of all
merge               designs of several volumes, of caches and rented ones among those of the search
search              the whole answer
draw                prices, lives, latencies and losses drawn for all designs at once, where only bounds are known
rank                the order of the designs, by these draws
pareto              the Pareto front: designs that no other dominates
ranking             what each design that fits is best in, and what is no worse in all
conflict            which requirements exclude each other, where nothing fits
shared_array        several logs on one design: what each has from the others
modelled            a model as the log that is planned for
prediction_error    how far predictions have been off so far
result              the document that the report is made from
"""
