"""What browsers ask for."""
