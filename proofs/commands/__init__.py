"""One file a subcommand of `infonce`, imported by `proofs.cli`; heavy imports happen inside."""
